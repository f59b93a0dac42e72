// Order by atomics inside a block, as a lock makes it.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "common/emulator/machine/memory_access.h"

namespace lab::observers {

// Calls visit(thread, address) for each lane of an access.
template <class Access, class Visit>
void for_lanes(const Access& access, const Visit& visit) {
    for (machine::Mask left = access.pattern->mask; left != 0; left &= left - 1) {
        const unsigned lane = machine::first_lane(left);
        visit(access.warp * machine::warp_size + lane, access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]));
    }
}

template <class Access, class Matches>
bool touches(const Access& access, unsigned thread, std::uint64_t address, const Matches& matches) {
    bool found = false;
    for_lanes(access, [&](unsigned one, std::uint64_t begin) {
        if (one != thread) return;
        found = matches(access) && address - begin < access.pattern->bytes;
        if constexpr (requires { access.group; }) {
            if (access.group == nullptr) return;
            for (const auto& member : access.group->members)
                found = found || address - (begin + static_cast<std::uint64_t>(member.offset)) < access.pattern->bytes;
        }
    });
    return found;
}

// Whether atomics order the latest access of `earlier` to `address` that matches before the access log[at] of `later`: a thread writes a
// word after it, another one reads that by an atomic or volatile access, and so on to `later`. Assumed where the log begins after that
// access, and where `patience` ends, which counts entries of the log.
template <class Access, class Matches>
bool is_handed_on(std::span<const Access> log, std::size_t at, unsigned earlier, unsigned later, std::uint64_t address,
                  const Matches& matches, std::uint64_t* patience) {
    constexpr std::size_t threads = 1024;
    std::size_t from = at;
    do {
        if (from == 0 || *patience == 0) return true;
        --from;
        --*patience;
    } while (log[from].warp != earlier / machine::warp_size || !touches(log[from], earlier, address, matches));
    std::bitset<threads> know;
    know.set(earlier);
    std::unordered_set<std::uint64_t> released;
    for (std::size_t i = from; i <= at && *patience != 0; ++i, --*patience) {
        const Access& access = log[i];
        const bool is_atomic = access.kind == machine::AccessKind::atomic;
        const bool is_answered =
            is_atomic ? (access.op->flags & machine::flag_no_result) == 0 : access.is_volatile && access.kind == machine::AccessKind::load;
        for_lanes(access, [&](unsigned thread, std::uint64_t word) {
            if (is_answered && released.count(word) != 0) know.set(thread);
        });
        for_lanes(access, [&](unsigned thread, std::uint64_t word) {
            const bool releases = is_atomic || (access.kind == machine::AccessKind::store && i != from);
            if (releases && know[thread]) released.insert(word);
        });
    }
    return *patience == 0 || know[later];
}

}  // namespace lab::observers
