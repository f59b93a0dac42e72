// Exact search for races among the shared-memory accesses of one interval between two barriers of the whole block. Two accesses by
// different threads to the same byte race unless both read, both are atomic, one instruction stores a constant, or they are ordered. Only
// barriers order threads of different warps (inside an interval: those for some of the warps, see Block::ordered). Warp-level
// synchronisation also orders threads of one warp (__syncwarp: the participating lanes). Lockstep execution of warps is not assumed. With
// Checks::lockstep, volatile accesses on both sides are ordered, as code before compute capability 7.0 relied on, and shuffles and votes
// order like __syncwarp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/emulator/machine/access_pattern.h"
#include "common/emulator/machine/worker.h"

namespace lab::observers {

// One of two conflicting accesses.
struct Touch {
    const machine::Op* op = nullptr;
    machine::AccessKind kind = machine::AccessKind::load;
    std::uint32_t warp = 0;
    unsigned lane = 0;
    bool is_volatile = false;
};

class RaceCheck {
public:
    // Returns whether to look for more.
    using Report = std::function<bool(const Touch& earlier, const Touch& later, std::uint32_t address)>;

    void start_interval(const machine::Block& block);
    // Reports, for each access and each granule of memory, every conflicting instruction, until a report asks for no more. `block` has the
    // synchronisation state of warps and lanes.
    void add(std::span<const machine::SharedAccess> accesses, const machine::Block& block, const Report& report);

private:
    // Accesses of one instruction of one warp to a granule: the lanes since the warp's last synchronisation of all lanes, and the latest
    // time. Earlier times are not needed: an access that isn't ordered after those isn't ordered after the latest either. A synchronisation
    // of some lanes begins a new entry.
    struct Entry {
        const machine::Op* op = nullptr;
        machine::Mask before = 0;  // lanes in earlier executions
        machine::Mask now = 0;     // lanes in execution number `access`
        std::uint32_t access = 0;
        std::uint32_t epoch = 0;
        std::uint32_t clock = 0;
        std::uint32_t next = 0;  // index + 1 of the granule's next entry
        std::uint8_t warp = 0;
        machine::AccessKind kind = machine::AccessKind::load;
        bool is_volatile = false;
    };
    struct Granule {
        std::uint32_t generation = 0;  // of the interval; anything older is empty
        std::uint32_t first = 0;       // index + 1
    };
    [[nodiscard]] machine::Mask clashing_lanes(const Entry& entry, const machine::SharedAccess& access, unsigned lane,
                                               const machine::Block& block) const;
    bool touch(Granule& granule, const machine::SharedAccess& access, unsigned lane, std::uint32_t address, const machine::Block& block,
               const Report& report);
    void remember(Entry& entry, const machine::SharedAccess& access, unsigned lane) const;

    std::vector<Granule> granules_;  // a byte or a word each
    std::vector<Entry> entries_;
    bool lockstep_ = true;        // see above
    bool has_atomics_ = false;    // of shared memory
    std::uint64_t patience_ = 0;  // of happens_before(), in the interval
    std::uint32_t step_ = 4;      // bytes of a granule
    std::uint32_t generation_ = 0;
    std::uint32_t access_number_ = 0;
    std::span<const machine::SharedAccess> log_;  // being checked,
    std::size_t at_ = 0;                          // and the current access in it
};

}  // namespace lab::observers
