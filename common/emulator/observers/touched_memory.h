// Records the bytes of global memory that a kernel reads, writes and changes by atomics, to find data races between streams.
#pragma once

#include <map>
#include <vector>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/observers/scheduling_order.h"

namespace lab::observers {

class TouchedMemory final : public GlobalChecker {
public:
    explicit TouchedMemory(const machine::Memory& memory) : memory_(memory) {}
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    void look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) override;
    [[nodiscard]] machine::TouchedBytes touched() const;

private:
    struct Touches {
        explicit Touches(std::uint64_t size) : read(size), written(size), atomic(size), system_atomic(size) {}
        machine::WrittenBytes read, written, atomic, system_atomic;
    };
    Touches* touches_at(std::uint64_t address);
    void mark(const machine::GlobalAccess& access, std::uint64_t begin, std::uint64_t bytes);

    const machine::Memory& memory_;
    std::map<std::uint64_t, Touches> touches_;  // by the allocation's address
    const machine::Allocation* last_ = nullptr;
    Touches* last_touches_ = nullptr;
};

// Conservative estimate from the kernel's parameters: each allocation that a parameter points into counts as read, or as written if the
// kernel may store through that parameter.
[[nodiscard]] machine::TouchedBytes touched_by_parameters(const machine::KernelCode& kernel, const machine::LaunchConfig& config,
                                                          const machine::Memory& memory);

}  // namespace lab::observers
