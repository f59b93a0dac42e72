#include "common/emulator/observers/race_check.h"

#include <algorithm>

namespace lab::observers {

using machine::AccessKind;
using machine::Mask;
using machine::SharedAccess;

namespace {

constexpr std::uint32_t word_bytes = 4;

std::size_t number_of(const machine::Warp& warp, std::uint32_t epoch) { return epoch - warp.first_epoch; }

// The lanes whose accesses in epoch `from` come before `lane`'s in epoch `to`: itself, and those that have synchronised with it since,
// directly or through others.
Mask lanes_before(const machine::Warp& warp, std::uint32_t from, std::uint32_t to, unsigned lane) {
    Mask known = 1U << lane;
    for (std::uint32_t epoch = to; epoch-- > from;) {
        const Mask members = warp.sync_members[number_of(warp, epoch)];
        if ((members & known) != 0) known |= members;
        if (known == machine::all_lanes) break;
    }
    return known;
}

// Whether one synchronisation since has ordered all lanes of the warp.
bool all_synchronised(const machine::Warp& warp, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t epoch = from; epoch < to; ++epoch) {
        if ((~warp.sync_members[number_of(warp, epoch)] & warp.started) == 0) return true;
    }
    return false;
}

// A flag that many threads set: the last store doesn't matter, since all are equal.
bool always_stores_the_same(const SharedAccess& access, const machine::Block& block) {
    return block.warps.front().worker->kernel->memory_ops[access.op->memory_id].same_always;
}

}  // namespace

void RaceCheck::start_interval(const machine::Block& block) {
    const machine::Worker& worker = *block.warps.front().worker;
    const auto& accesses = worker.kernel->memory_ops;
    const bool has_parts_of_words = std::any_of(accesses.begin(), accesses.end(), [](const machine::MemoryOp& op) {
        return op.space == ptx::Space::shared && op.bytes < word_bytes;
    });
    // Barriers for some of the warps cut the log.
    has_atomics_ = !worker.kernel->has_named_barriers && std::any_of(accesses.begin(), accesses.end(), [](const machine::MemoryOp& op) {
        return op.space == ptx::Space::shared && op.kind == AccessKind::atomic;
    });
    patience_ = 1U << 22U;
    lockstep_ = worker.config->checks.lockstep;
    step_ = has_parts_of_words ? 1 : word_bytes;
    access_number_ = 0;
    entries_.clear();
    if (granules_.size() < block.shared_bytes / step_ + 1) granules_.resize(block.shared_bytes / step_ + 1);
    if (++generation_ == 0) {
        granules_.assign(granules_.size(), {});
        generation_ = 1;
    }
}

// The lanes of an earlier entry that are not ordered before this access of `lane`.
Mask RaceCheck::clashing_lanes(const Entry& entry, const SharedAccess& access, unsigned lane, const machine::Block& block) const {
    if (entry.kind == access.kind && access.kind != AccessKind::store) return 0;
    if (entry.kind == AccessKind::store && entry.op == access.op && always_stores_the_same(access, block)) return 0;
    if (entry.warp != access.warp) return block.ordered[access.warp][entry.warp] > entry.clock ? 0 : entry.before | entry.now;
    if (lockstep_ && entry.is_volatile && access.is_volatile) return 0;
    const bool same_instruction = entry.access == access_number_;
    const Mask lanes = same_instruction && access.same_value ? entry.before : entry.before | entry.now;
    return lanes & ~lanes_before(block.warps[access.warp], entry.epoch, access.epoch, lane);
}

void RaceCheck::remember(Entry& entry, const SharedAccess& access, unsigned lane) const {
    if (entry.epoch != access.epoch || entry.clock != access.clock) {
        entry.before = 0;
        entry.now = 0;
    } else if (entry.access != access_number_) {
        entry.before |= entry.now;
        entry.now = 0;
    }
    entry.now |= 1U << lane;
    entry.access = access_number_;
    entry.epoch = access.epoch;
    entry.clock = access.clock;
}

// False if the report asks for no more.
bool RaceCheck::touch(Granule& granule, const SharedAccess& access, unsigned lane, std::uint32_t address, const machine::Block& block,
                      const Report& report) {
    if (granule.generation != generation_) granule = {generation_, 0};
    Entry* own = nullptr;
    for (std::uint32_t at = granule.first; at != 0; at = entries_[at - 1].next) {
        Entry& entry = entries_[at - 1];
        Mask others = clashing_lanes(entry, access, lane, block);
        const unsigned other =
            entry.warp * machine::warp_size + machine::first_lane((others & entry.now) != 0 ? others & entry.now : others | 1U << 31U);
        const auto matches = [&](const SharedAccess& one) { return one.op == entry.op; };
        if (others != 0 && has_atomics_ &&
            happens_before(log_, at_, other, access.warp * machine::warp_size + lane, address, matches, &patience_)) {
            others = 0;
        }
        if (others != 0 && !report({entry.op, entry.kind, entry.warp, machine::first_lane(others), entry.is_volatile},
                                   {access.op, access.kind, access.warp, lane, access.is_volatile}, address)) {
            return false;
        }
        const bool same = entry.op == access.op && entry.warp == access.warp;
        if (same && (entry.epoch == access.epoch || all_synchronised(block.warps[access.warp], entry.epoch, access.epoch))) own = &entry;
    }
    if (own == nullptr) {
        own = &entries_.emplace_back();
        own->op = access.op;
        own->warp = access.warp;
        own->kind = access.kind;
        own->is_volatile = access.is_volatile;
        own->epoch = access.epoch;
        own->clock = access.clock;
        own->access = access_number_;
        own->next = granule.first;
        granule.first = static_cast<std::uint32_t>(entries_.size());
    }
    remember(*own, access, lane);
    return true;
}

void RaceCheck::add(std::span<const SharedAccess> accesses, const machine::Block& block, const Report& report) {
    const auto add_one = [&](const SharedAccess& access) {
        ++access_number_;
        for (Mask left = access.pattern->mask; left != 0; left &= left - 1) {
            const unsigned lane = machine::first_lane(left);
            const auto begin = static_cast<std::uint32_t>(access.base + access.pattern->delta[lane]);
            for (std::uint32_t at = begin / step_; at * step_ < begin + access.pattern->bytes; ++at) {
                if (!touch(granules_[at], access, lane, at * step_, block, report)) return false;
            }
        }
        return true;
    };
    log_ = accesses;
    for (at_ = 0; at_ < accesses.size(); ++at_) {
        const SharedAccess& access = accesses[at_];
        if (!add_one(access)) return;
        if (access.group == nullptr) continue;
        for (const auto& member : access.group->members) {
            SharedAccess one = access;
            one.base += static_cast<std::uint32_t>(member.offset);
            one.op = member.op;
            one.group = nullptr;
            if (!add_one(one)) return;
        }
    }
}

}  // namespace lab::observers
