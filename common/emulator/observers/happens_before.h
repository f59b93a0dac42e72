// Happens-before order that atomics make inside a block, as a lock does.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "common/emulator/machine/memory_access.h"

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

}  // namespace lab::observers
