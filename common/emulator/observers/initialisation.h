// Reads of uninitialised memory: the block's shared memory, the thread's local memory, and memory of cudaMalloc. A read counts if no byte
// of the element was written: a partly written element may have padding. Compilers copy structures byte by byte, padding included, so for
// 1- and 2-byte reads the aligned 8 bytes around are checked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/observer.h"
#include "common/emulator/observers/scheduling_order.h"

namespace lab::observers {

// The first read by one instruction, and the number of such reads.
struct UnwrittenRead {
    const machine::Op* op = nullptr;
    ptx::Space space = ptx::Space::global;
    std::uint64_t position = 0, linear = 0;  // of the block
    std::uint32_t warp = 0;
    unsigned lane = 0;
    std::uint64_t address = 0;  // global: device address; shared: offset
    std::uint32_t bytes = 0;    // of the element
    std::uint64_t count = 0;
};

// Shared and local memory.
class InitialisationObserver final : public machine::Observer {
public:
    [[nodiscard]] bool wants_shared_accesses() const override { return true; }
    [[nodiscard]] bool wants_local_reads() const override { return true; }
    machine::BlockObserver* make_block_observer() override;
    // One per instruction and worker, in the order of the first blocks; without blocks after position `last`.
    [[nodiscard]] std::vector<UnwrittenRead> reads(std::uint64_t last) const;

private:
    class Part;
    std::vector<std::shared_ptr<Part>> parts_;
};

// Global memory: tracks unwritten bytes, and marks those that the kernel writes.
class GlobalInitialisation final : public GlobalChecker {
public:
    explicit GlobalInitialisation(const machine::Memory& memory);
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    void look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) override;
    [[nodiscard]] bool has_enough() const override { return found_ >= max_found; }
    [[nodiscard]] std::vector<UnwrittenRead> reads(std::uint64_t last) const;

private:
    const machine::Allocation* unwritten_at(std::uint64_t address);
    void look_at(const BlockPosition& block, const machine::GlobalAccess& access, const machine::Allocation& allocation);
    [[nodiscard]] bool any_unwritten_in(std::uint64_t low, std::uint64_t high) const;
    void mark_lanes(const machine::GlobalAccess& access);
    std::vector<const machine::Allocation*> unwritten_;  // not fully written when the launch began
    const machine::Allocation* last_ = nullptr;
    static constexpr std::uint64_t max_found = 1U << 14U;  // of memory that nothing sets, each read would be one
    std::uint64_t found_ = 0;
    std::map<const machine::Op*, UnwrittenRead> reads_;
};

}  // namespace lab::observers
