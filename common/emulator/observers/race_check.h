// Exact search for clashes among the shared-memory accesses of one interval between two barriers of the whole block.
// Two accesses clash when different threads touch the same byte, at least one writes, not both are atomic, they are not one
// instruction that stores a constant, and nothing orders them: threads of different warps are ordered by barriers alone (inside an
// interval: by those for some of the warps, see Block::ordered), threads of one warp also by warp-level synchronisation (__syncwarp orders
// the lanes that take part). Warps are not taken to run in lockstep. Where Checks::lockstep says so, volatile accesses on both sides are
// ordered, which is how code before compute capability 7.0 was written, and shuffles and votes order like __syncwarp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/emulator/machine/access_pattern.h"
#include "common/emulator/machine/worker.h"

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

    // `by_byte`: accesses of less than 4 bytes may come; otherwise all are of whole, aligned words.
    void start_interval(std::uint32_t shared_bytes, bool by_byte, bool lockstep);
    // Reports, for each access and each granule of memory, every instruction that clashes with it. `block` knows which of
    // its warps and lanes have synchronised.
    void add(std::span<const machine::SharedAccess> accesses, const machine::Block& block, const Report& report);

private:
    // What one instruction of one warp did to a granule: the lanes since the warp's last synchronisation of all lanes, and
    // the latest time at all. Earlier times need no memory: whatever isn't ordered behind those isn't ordered behind the
    // latest either. After a synchronisation of some lanes a new entry begins.
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
    void touch(Granule& granule, const machine::SharedAccess& access, unsigned lane, std::uint32_t address, const machine::Block& block,
               const Report& report);
    void remember(Entry& entry, const machine::SharedAccess& access, unsigned lane) const;

    std::vector<Granule> granules_;  // a byte or a word each
    std::vector<Entry> entries_;
    bool lockstep_ = true;    // see above
    std::uint32_t step_ = 4;  // bytes of a granule
    std::uint32_t generation_ = 0;
    std::uint32_t access_number_ = 0;
};

}  // namespace lab::observers
