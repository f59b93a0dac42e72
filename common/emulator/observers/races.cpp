#include "common/emulator/observers/races.h"

#include <algorithm>

#include "common/emulator/machine/worker.h"

namespace lab::observers {

using machine::AccessKind;
using machine::SharedAccess;

namespace {

// Sets the bits of words [first, last]; returns whether any was set in `other` before.
bool any_bit(const std::vector<std::uint64_t>& bits, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t at = first / 64; at <= last / 64; ++at) {
        std::uint64_t mask = ~0ULL;
        if (at == first / 64) mask &= ~0ULL << (first % 64);
        if (at == last / 64) mask &= ~0ULL >> (63 - last % 64);
        if ((bits[at] & mask) != 0) return true;
    }
    return false;
}

void set_bits(std::vector<std::uint64_t>& bits, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t at = first / 64; at <= last / 64; ++at) {
        std::uint64_t mask = ~0ULL;
        if (at == first / 64) mask &= ~0ULL << (first % 64);
        if (at == last / 64) mask &= ~0ULL >> (63 - last % 64);
        bits[at] |= mask;
    }
}

}  // namespace

bool RaceBlockObserver::clashes(const SharedAccess& access, std::int64_t offset) {
    for (const auto& run : access.pattern->runs) {
        const std::int64_t begin = access.base + offset + run.begin;
        const auto first = static_cast<std::uint32_t>(begin / 4);
        const auto last = static_cast<std::uint32_t>((begin + run.bytes - 1) / 4);
        if (any_bit(written_, first, last)) return true;
        if (access.kind != AccessKind::load && any_bit(read_, first, last)) return true;
        if (access.kind != AccessKind::atomic && any_bit(atomic_, first, last)) return true;
        set_bits(access.kind == AccessKind::load ? read_ : access.kind == AccessKind::store ? written_ : atomic_, first, last);
    }
    return false;
}

bool RaceBlockObserver::may_clash(std::span<const SharedAccess> accesses) {
    std::fill(read_.begin(), read_.end(), 0);
    std::fill(written_.begin(), written_.end(), 0);
    std::fill(atomic_.begin(), atomic_.end(), 0);
    for (const SharedAccess& access : accesses) {
        if (access.kind == AccessKind::store && !access.pattern->distinct && !access.same_value) return true;
        if (clashes(access, 0)) return true;
        if (access.group == nullptr) continue;
        for (const auto& member : access.group->members) {
            if (clashes(access, member.offset)) return true;
        }
    }
    return false;
}

void RaceBlockObserver::begin_block(const machine::Block& block) {
    open_ = false;
    const std::size_t words = block.shared_bytes / 4 / 64 + 1;
    if (read_.size() < words) {
        read_.resize(words);
        written_.resize(words);
        atomic_.resize(words);
    }
}

void RaceBlockObserver::shared_interval(const machine::Block& block, std::span<const SharedAccess> accesses, bool complete) {
    if (complete && !open_ && !may_clash(accesses)) return;
    if (!open_) check_.start_interval(block.shared_bytes);
    open_ = !complete;
    check_.add(accesses, [&](const Touch& earlier, const Touch& later, std::uint32_t address) {
        Race& race = races_[{earlier.op, later.op}];
        if (race.count++ != 0 && race.block <= block.linear) return;
        race.earlier = earlier;
        race.later = later;
        race.address = address;
        race.block = block.linear;
    });
}

void RaceBlockObserver::end_block(const machine::Block& /*block*/) { open_ = false; }

machine::BlockObserver* RaceObserver::make_block_observer() {
    parts_.push_back(std::make_unique<RaceBlockObserver>());
    return parts_.back().get();
}

std::vector<Race> RaceObserver::races() const {
    std::map<RaceBlockObserver::Key, Race> merged;
    for (const auto& part : parts_) {
        for (const auto& [key, race] : part->races()) {
            Race& all = merged[key];
            const std::uint64_t count = all.count + race.count;
            if (all.count == 0 || race.block < all.block) all = race;
            all.count = count;
        }
    }
    std::vector<Race> list;
    for (const auto& [key, race] : merged) list.push_back(race);
    std::sort(list.begin(), list.end(), [](const Race& a, const Race& b) {
        return std::make_tuple(a.block, a.earlier.op->index, a.later.op->index) < std::make_tuple(b.block, b.earlier.op->index, b.later.op->index);
    });
    return list;
}

}  // namespace lab::observers
