// Exact search for clashes among the shared-memory accesses of one interval between two barriers.
// Two accesses clash when different threads touch the same byte, at least one writes, not both are atomic, and nothing
// orders them: threads of different warps are ordered only by barriers, threads of one warp also by warp-level
// synchronisation (__syncwarp, and the .sync forms of shuffle and vote). Warps are not taken to run in lockstep, but for
// volatile accesses on both sides, which is how code before compute capability 7.0 was written.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/emulator/machine/access_pattern.h"
#include "common/emulator/machine/observer.h"

namespace lab::observers {

// One side of a clash.
struct Touch {
    const machine::Op* op = nullptr;
    machine::AccessKind kind = machine::AccessKind::load;
    std::uint32_t warp = 0;
    unsigned lane = 0;
    bool is_volatile = false;
};

class RaceCheck {
public:
    using Report = std::function<void(const Touch& earlier, const Touch& later, std::uint32_t address)>;

    void start_interval(std::uint32_t shared_bytes);
    void add(std::span<const machine::SharedAccess> accesses, const Report& report);

private:
    // The lanes of one warp that touched a granule since the warp's last synchronisation.
    struct Group {
        machine::Mask lanes = 0;
        std::uint32_t epoch = 0;
        const machine::Op* op = nullptr;
        std::uint32_t access = 0;
        std::uint16_t generation = 0;  // of the interval; anything older is empty
        std::uint8_t warp = 0;
        bool is_volatile = false;
    };
    // Two warps are enough to remember: whoever comes third clashes with at least one of them.
    struct Granule {
        Group readers[2], writers[2], atomics[2];
    };
    void touch(Granule& granule, const machine::SharedAccess& access, unsigned lane, std::uint32_t address, const Report& report);
    void compare(const Group (&groups)[2], machine::AccessKind kind, const machine::SharedAccess& access, unsigned lane, std::uint32_t address, const Report& report) const;
    void remember(Group (&groups)[2], const machine::SharedAccess& access, unsigned lane) const;

    std::vector<Granule> granules_;   // a byte each, or a word each while only whole words are touched
    bool by_byte_ = false;
    std::uint32_t shared_bytes_ = 0;
    std::uint16_t generation_ = 0;
    std::uint32_t access_number_ = 0;
};

}  // namespace lab::observers
