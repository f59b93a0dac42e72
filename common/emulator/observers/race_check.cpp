#include "common/emulator/observers/race_check.h"

#include <algorithm>

namespace lab::observers {

using machine::AccessKind;
using machine::Mask;
using machine::SharedAccess;

void RaceCheck::start_interval(std::uint32_t shared_bytes) {
    shared_bytes_ = shared_bytes;
    access_number_ = 0;
    if (by_byte_) {
        // The next interval may be one of whole words again.
        by_byte_ = false;
        granules_.clear();
    }
    if (++generation_ == 0) {
        granules_.clear();
        generation_ = 1;
    }
}

void RaceCheck::compare(const Group (&groups)[2], AccessKind kind, const SharedAccess& access, unsigned lane, std::uint32_t address, const Report& report) const {
    for (const Group& group : groups) {
        if (group.generation != generation_) continue;
        Mask others = group.lanes;
        if (group.warp == access.warp) {
            if (group.epoch != access.epoch) continue;
            if (group.is_volatile && access.is_volatile) continue;
            if (group.access == access_number_ && access.same_value) continue;
            others &= ~(1U << lane);
            if (others == 0) continue;
        }
        report({group.op, kind, group.warp, machine::first_lane(others), group.is_volatile}, {access.op, access.kind, access.warp, lane, access.is_volatile}, address);
        return;
    }
}

void RaceCheck::remember(Group (&groups)[2], const SharedAccess& access, unsigned lane) const {
    const Group fresh{1U << lane, access.epoch, access.op, access_number_, generation_, access.warp, access.is_volatile};
    for (Group& group : groups) {
        if (group.generation == generation_ && group.warp == access.warp) {
            if (group.epoch == access.epoch && group.is_volatile == access.is_volatile) {
                group.lanes |= fresh.lanes;
                group.op = access.op;
                group.access = access_number_;
            } else {
                group = fresh;
            }
            return;
        }
        if (group.generation != generation_) {
            group = fresh;
            return;
        }
    }
}

void RaceCheck::touch(Granule& granule, const SharedAccess& access, unsigned lane, std::uint32_t address, const Report& report) {
    if (access.kind != AccessKind::load) compare(granule.readers, AccessKind::load, access, lane, address, report);
    compare(granule.writers, AccessKind::store, access, lane, address, report);
    if (access.kind != AccessKind::atomic) compare(granule.atomics, AccessKind::atomic, access, lane, address, report);
    remember(access.kind == AccessKind::load ? granule.readers : access.kind == AccessKind::store ? granule.writers : granule.atomics, access, lane);
}

void RaceCheck::add(std::span<const SharedAccess> accesses, const Report& report) {
    const bool sub_word = std::any_of(accesses.begin(), accesses.end(), [](const SharedAccess& a) { return a.pattern->bytes < 4; });
    if (sub_word && !by_byte_) {
        // What was remembered by the word becomes each of its bytes'.
        std::vector<Granule> bytes(shared_bytes_ + 4);
        for (std::size_t i = 0; i < bytes.size() && i / 4 < granules_.size(); ++i) bytes[i] = granules_[i / 4];
        granules_ = std::move(bytes);
        by_byte_ = true;
    }
    const std::uint32_t step = by_byte_ ? 1 : 4;
    if (granules_.size() < shared_bytes_ / step + 1) granules_.resize(shared_bytes_ / step + 1);
    const auto add_one = [&](const SharedAccess& access) {
        ++access_number_;
        for (Mask left = access.pattern->mask; left != 0; left &= left - 1) {
            const unsigned lane = machine::first_lane(left);
            const auto begin = static_cast<std::uint32_t>(access.base + access.pattern->delta[lane]);
            for (std::uint32_t at = begin / step; at * step < begin + access.pattern->bytes; ++at) touch(granules_[at], access, lane, at * step, report);
        }
    };
    for (const SharedAccess& access : accesses) {
        add_one(access);
        if (access.group == nullptr) continue;
        for (const auto& member : access.group->members) {
            SharedAccess one = access;
            one.base += static_cast<std::uint32_t>(member.offset);
            one.op = member.op;
            one.group = nullptr;
            add_one(one);
        }
    }
}

}  // namespace lab::observers
