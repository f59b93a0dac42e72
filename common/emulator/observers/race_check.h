// Exact search for races among the shared-memory accesses of one interval between two barriers of the whole block. Two accesses by
// different threads to the same byte race unless both read, both are atomic, one instruction stores a constant, or they are ordered. Only
// barriers order threads of different warps (inside an interval: those for some of the warps, see Block::ordered). Warp-level
// synchronisation also orders threads of one warp (__syncwarp: the participating lanes). Lockstep execution of warps is not assumed. With
// Checks::lockstep, volatile accesses on both sides are ordered, as code before compute capability 7.0 relied on, and shuffles and votes
// order like __syncwarp.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_set>
#include <vector>

#include "common/emulator/machine/access_pattern.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/worker.h"

namespace lab::observers {

// Whether atomics order the latest access to `address` by thread `earlier` that matches before the access log[at] of `later`: a thread
// stores to a word after it, another one reads that by an atomic or volatile access, and so on to `later`. Assumed where the log doesn't
// reach back that far, or `patience`, counted in entries of the log, runs out.
template <class Access, class Matches>
bool happens_before(std::span<const Access> log, std::size_t at, unsigned earlier, unsigned later, std::uint64_t address,
                    const Matches& matches, std::uint64_t* patience) {
    const auto for_lanes = [&](const Access& access, const auto& visit) {
        for (machine::Mask left = access.pattern->mask; left != 0; left &= left - 1) {
            const unsigned lane = machine::first_lane(left);
            visit(access.warp * machine::warp_size + lane, access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]));
        }
    };
    std::size_t from = at + 1;
    for (bool found = false; !found;) {
        if (from == 0 || *patience == 0) return true;
        const Access& access = log[--from];
        --*patience;
        if (access.warp != earlier / machine::warp_size || !matches(access)) continue;
        for_lanes(access, [&](unsigned thread, std::uint64_t begin) {
            found = found || (thread == earlier && address - begin < access.pattern->bytes);
        });
    }
    std::bitset<1024> know;  // threads that the earlier access comes before
    know.set(earlier);
    std::unordered_set<std::uint64_t> words;  // that hand this on
    for (std::size_t i = from; i < at && *patience != 0; ++i, --*patience) {
        const Access& access = log[i];
        const bool is_atomic = access.kind == machine::AccessKind::atomic, is_load = access.kind == machine::AccessKind::load;
        const bool gets = is_atomic ? (access.op->flags & machine::flag_no_result) == 0 : is_load && access.is_volatile;
        const bool puts = is_atomic || (!is_load && (access.is_volatile || i != from));
        if (gets) for_lanes(access, [&](unsigned thread, std::uint64_t word) { know[thread] = know[thread] || words.count(word) != 0; });
        if (puts) for_lanes(access, [&](unsigned thread, std::uint64_t word) { know[thread] ? void(words.insert(word)) : void(); });
    }
    return *patience == 0 || know[later];
}

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
