#include "common/emulator/observers/global_races.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/pointer_flow.h"
#include "common/emulator/observers/race_check.h"
#include "common/emulator/observers/races.h"

namespace lab::observers {

using machine::AccessKind;
using machine::GlobalAccess;

namespace {

constexpr std::uint64_t owner_bits = ~(((1ULL << (block_at_bit - op_at)) - 1) << op_at);  // block, thread, flags

}  // namespace

// Accesses of one kind since the last plain write: one of them, and one of another thread or block.
struct GlobalRaces::Touchers {
    Words first, other;
    explicit Touchers(std::uint64_t granules) : first(granules), other(granules) {}

    void add(std::uint64_t granule, std::uint64_t touch) {
        std::uint64_t& known = *first.from(granule);
        const bool same_block = block_of(known) == block_of(touch);
        const bool later = same_block && moment_of(known) != moment_of(touch);
        const bool in_several_blocks = (known & several_blocks) != 0;
        if (known == 0 || (later && !in_several_blocks)) {
            known = touch;
            return;
        }
        if (later || (same_block && thread_of(known) == thread_of(touch))) return;
        if (!in_several_blocks) *other.from(granule) = touch;
        known |= same_block ? several_threads : several_blocks;
    }
};

// Accesses to each granule of an allocation.
struct GlobalRaces::Shadow {
    std::uint64_t begin = 0, end = 0;  // addresses
    Touchers writers, readers, atomics;
    Words values;  // GlobalAccess::value of the latest write

    Shadow(const machine::Allocation& allocation, unsigned granule_shift)
        : begin(allocation.address),
          end(allocation.address + allocation.size),
          writers((allocation.size >> granule_shift) + 1),
          readers((allocation.size >> granule_shift) + 1),
          atomics((allocation.size >> granule_shift) + 1),
          values((allocation.size >> granule_shift) + 1) {}
};

struct GlobalRaces::Side {
    std::uint64_t touch = 0;  // as kept
    std::uint64_t position = 0, linear = 0;
    std::uint32_t memory_id = 0;
    AccessKind kind = AccessKind::load;
    bool is_volatile = false;
    bool same_value = false;
    std::uint64_t value = 0;  // of GlobalAccess
};

GlobalRaces::GlobalRaces(const machine::KernelCode& kernel, const machine::LaunchConfig& config, const machine::Memory& memory)
    : kernel_(kernel), config_(config), between_blocks_(!(kernel.has_fence && kernel.has_signal)) {
    const machine::WrittenThrough& through = kernel.written_through;
    for (const machine::MemoryOp& op : kernel.memory_ops) {
        if (op.space == ptx::Space::global && op.bytes < 4) granule_shift_ = 0;
    }
    const auto written = through.anywhere ? memory.all() : machine::pointed_to(through.parameters, config, memory);
    for (const machine::Allocation* allocation : written) {
        const bool can_be_written =
            allocation->kind != machine::AllocationKind::constant && allocation->kind != machine::AllocationKind::pinned;
        if (can_be_written) shadows_.push_back(std::make_unique<Shadow>(*allocation, granule_shift_));
    }
}

GlobalRaces::~GlobalRaces() = default;

bool GlobalRaces::watches(const machine::Allocation& allocation) const {
    return std::any_of(shadows_.begin(), shadows_.end(), [&](const auto& shadow) { return shadow->begin == allocation.address; });
}

GlobalRaces::Shadow* GlobalRaces::shadow_of(std::uint64_t address) {
    if (last_ != nullptr && address >= last_->begin && address < last_->end) return last_;
    for (const auto& shadow : shadows_) {
        if (address >= shadow->begin && address < shadow->end) return last_ = shadow.get();
    }
    return nullptr;
}

namespace {

const ptx::Instruction& instruction_of(const GlobalTouch& touch) { return touch.op->function->source->body[touch.op->index]; }

}  // namespace

void GlobalRaces::clash(std::uint64_t earlier, const Side& me, const Shadow& shadow, std::uint64_t granule) {
    const auto earlier_id = static_cast<std::uint32_t>(std::min<std::uint64_t>(op_of(earlier), kernel_.memory_ops.size() - 1));
    const auto matches = [&](const GlobalAccess& access) { return access.memory_id == earlier_id; };
    const bool is_known = races_.count({earlier_id, me.memory_id}) != 0;
    if (kernel_.has_signal && !is_known && block_of(earlier) == block_of(me.touch) &&
        happens_before(log_, at_, static_cast<unsigned>(thread_of(earlier)), static_cast<unsigned>(thread_of(me.touch)),
                       shadow.begin + (granule << granule_shift_), matches, &patience_)) {
        return;
    }
    GlobalRace& race = races_[{earlier_id, me.memory_id}];
    found_ += race.is_excused ? 0 : 1;
    if (race.count++ != 0) return;
    // Only the block's number modulo its field size is known: it is the latest such block.
    const std::uint64_t modulus = (1ULL << block_bits) - 1;
    const std::uint64_t back = (block_number(me.position) + modulus - block_of(earlier)) % modulus;
    const std::uint64_t earlier_position = me.position - std::min(back, me.position);
    race.earlier = {machine::block_at_position(config_, earlier_position), static_cast<std::uint32_t>(thread_of(earlier)),
                    &kernel_.memory_ops[earlier_id]};
    race.later = {me.linear, static_cast<std::uint32_t>(thread_of(me.touch)), &kernel_.memory_ops[me.memory_id]};
    race.between_blocks = block_of(earlier) != block_of(me.touch);
    race.address = shadow.begin + (granule << granule_shift_);
    race.position = me.position;
    race.is_excused = checked_by_swap(instruction_of(race.earlier), race.earlier.op->kind, instruction_of(race.later), race.later.op->kind);
}

// Whether an earlier access by another thread is ordered before this one, or can't conflict with it.
bool GlobalRaces::ordered(std::uint64_t earlier, const Side& me) const {
    if (block_of(earlier) != block_of(me.touch)) return !between_blocks_;
    if (moment_of(earlier) != moment_of(me.touch)) return true;
    const bool same_warp = thread_of(earlier) / machine::warp_size == thread_of(me.touch) / machine::warp_size;
    if (!same_warp) return false;
    return epoch_of(earlier) != epoch_of(me.touch) || (me.is_volatile && config_.checks.lockstep);
}

// One of the accesses that conflicts with `me`, or 0.
std::uint64_t GlobalRaces::clashing(Touchers& touchers, std::uint64_t granule, const Side& me) const {
    if (!touchers.first.used()) return 0;
    const std::uint64_t first = *touchers.first.from(granule);
    if (first == 0) return 0;
    if (block_of(first) != block_of(me.touch)) return ordered(first, me) ? 0 : first;
    if ((first & several_blocks) != 0 && between_blocks_) {
        const std::uint64_t other = *touchers.other.from(granule);
        if (!ordered(other, me)) return other;
    }
    if (moment_of(first) != moment_of(me.touch)) return 0;
    if (thread_of(first) != thread_of(me.touch) && !ordered(first, me)) return first;
    if ((first & (several_threads | several_blocks)) != several_threads) return 0;
    const std::uint64_t other = *touchers.other.from(granule);
    return thread_of(other) != thread_of(me.touch) && !ordered(other, me) ? other : 0;
}

void GlobalRaces::check(Shadow& shadow, std::uint64_t granule, const Side& me) {
    const auto check_against = [&](Touchers& touchers) {
        const std::uint64_t earlier = clashing(touchers, granule, me);
        if (earlier != 0) clash(earlier, me, shadow, granule);
    };
    // A flag that many threads set: the last store doesn't matter, since all are equal.
    if (me.value == 0 || !shadow.values.used() || *shadow.values.from(granule) != me.value) check_against(shadow.writers);
    if (me.kind != AccessKind::load) check_against(shadow.readers);
    if (me.kind != AccessKind::atomic) check_against(shadow.atomics);
}

// A store of a constant. Other stores of the same value don't conflict with it, so unlike other stores it doesn't replace the earlier
// accesses: all of them are kept.
void GlobalRaces::remember_flag(Shadow& shadow, std::uint64_t granule, const Side& me) {
    const std::uint64_t before = *shadow.writers.first.from(granule) & ~(several_threads | several_blocks);
    // It can't be read any more, but others may write there.
    if (before != 0 && *shadow.values.from(granule) != me.value) shadow.readers.add(granule, before);
    shadow.writers.add(granule, me.touch);
    *shadow.values.from(granule) = me.value;
}

void GlobalRaces::remember(Shadow& shadow, std::uint64_t granule, const Side& me, bool beside_others) const {
    if (me.kind == AccessKind::load) return shadow.readers.add(granule, me.touch);
    if (me.kind == AccessKind::atomic) return shadow.atomics.add(granule, me.touch);
    if (beside_others) return shadow.writers.add(granule, me.touch);
    std::uint64_t& writer = *shadow.writers.first.from(granule);
    // If blocks wait for one another, another block's accesses come before.
    const bool is_of_this_block = writer == 0 || block_of(writer) == block_of(me.touch);
    if (kernel_.memory_ops[me.memory_id].same_always && (between_blocks_ || is_of_this_block)) return remember_flag(shadow, granule, me);
    const bool is_known = shadow.values.used();
    const bool is_own = ((writer ^ me.touch) & owner_bits) == 0;
    if (is_known && !is_own && me.value != 0 && *shadow.values.from(granule) == me.value) return shadow.writers.add(granule, me.touch);
    writer = me.touch;
    if (is_known || me.value != 0) *shadow.values.from(granule) = me.value;
    for (Touchers* touchers : {&shadow.readers, &shadow.atomics}) {
        if (touchers->first.used()) *touchers->first.from(granule) = 0;
    }
}

// Calls `visit(shadow, granule, touch)` for all that an access touches; `of_warp`: the touch of its warp's first lane.
template <typename Visit>
void GlobalRaces::for_each_granule(const GlobalAccess& access, std::uint64_t of_warp, const Visit& visit) {
    const machine::AccessPattern& pattern = *access.pattern;
    for (machine::Mask left = pattern.mask; left != 0; left &= left - 1) {
        const unsigned lane = machine::first_lane(left);
        const std::uint64_t begin = access.base + static_cast<std::uint64_t>(pattern.delta[lane]);
        Shadow* at = shadow_of(begin);
        if (at == nullptr) continue;
        const std::uint64_t last = (std::min(begin + pattern.bytes, at->end) - 1 - at->begin) >> granule_shift_;
        for (std::uint64_t granule = (begin - at->begin) >> granule_shift_; granule <= last; ++granule) visit(*at, granule, of_warp + lane);
    }
}

// Whether each thread of an access is the only one that has accessed what it touches.
bool GlobalRaces::is_own(const GlobalAccess& access, const Side& me) {
    bool is = access.pattern->distinct;
    for_each_granule(access, me.touch, [&](Shadow& shadow, std::uint64_t granule, std::uint64_t touch) {
        for (Touchers* const touchers : {&shadow.writers, &shadow.readers, &shadow.atomics}) {
            const std::uint64_t known = touchers->first.used() ? *touchers->first.from(granule) : 0;
            is = is && (known == 0 || ((known ^ touch) & owner_bits) == 0);
        }
    });
    return is;
}

void GlobalRaces::look_at_lanes(const GlobalAccess& access, Side me) {
    const std::uint64_t of_warp = me.touch;
    if (!me.same_value) {
        for_each_granule(access, of_warp, [&](Shadow& shadow, std::uint64_t granule, std::uint64_t touch) {
            me.touch = touch;
            check(shadow, granule, me);
            remember(shadow, granule, me, false);
        });
        return;
    }
    // All lanes store the same value at once: first each is checked against earlier accesses, then all are recorded.
    for_each_granule(access, of_warp, [&](Shadow& shadow, std::uint64_t granule, std::uint64_t touch) {
        me.touch = touch;
        check(shadow, granule, me);
    });
    const std::uint64_t moment = of_warp & ~std::uint64_t{machine::warp_size - 1};
    for_each_granule(access, of_warp, [&](Shadow& shadow, std::uint64_t granule, std::uint64_t touch) {
        me.touch = touch;
        const std::uint64_t known = *shadow.writers.first.from(granule) & ~(several_threads | several_blocks);
        const bool beside_others = (known & ~std::uint64_t{machine::warp_size - 1}) == moment;
        remember(shadow, granule, me, beside_others);
    });
}

// A read of bytes that other blocks have read and none has written. One more reader changes nothing: a writer conflicts with those others
// already. Inputs in one allocation with the output are read like that repeatedly.
bool GlobalRaces::changes_nothing(const GlobalAccess& access, Shadow& shadow) const {
    const machine::AccessPattern& pattern = *access.pattern;
    const std::uint64_t low = access.base + static_cast<std::uint64_t>(pattern.low);
    const std::uint64_t high = access.base + static_cast<std::uint64_t>(pattern.high);
    if (access.kind != AccessKind::load || low < shadow.begin || high > shadow.end || !shadow.readers.first.used()) return false;
    return std::all_of(pattern.runs.begin(), pattern.runs.end(), [&](const auto& run) {
        const std::uint64_t begin = access.base + static_cast<std::uint64_t>(run.begin) - shadow.begin;
        const std::uint64_t first = begin >> granule_shift_;
        const std::uint64_t count = ((begin + run.bytes - 1) >> granule_shift_) - first + 1;
        const std::uint64_t* const read = shadow.readers.first.from(first);
        if (!std::all_of(read, read + count, [](std::uint64_t touch) { return (touch & several_blocks) != 0; })) return false;
        for (Touchers* const others : {&shadow.writers, &shadow.atomics}) {
            if (!others->first.used()) continue;
            const std::uint64_t* const touches = others->first.from(first);
            if (std::any_of(touches, touches + count, [](std::uint64_t touch) { return touch != 0; })) return false;
        }
        return true;
    });
}

// Whether the next two accesses are a thread's to the same place, and one of them a store, which replaces what came before.
bool GlobalRaces::is_replaced(std::span<const GlobalAccess> accesses, std::size_t at) const {
    if (at + 2 >= accesses.size()) return false;
    bool stores = false;
    for (const GlobalAccess& next : accesses.subspan(at + 1, 2)) {
        const GlobalAccess& access = accesses[at];
        if (next.base != access.base || next.pattern != access.pattern || next.warp != access.warp || next.interval != access.interval)
            return false;
        stores = stores || (next.kind == AccessKind::store && !kernel_.memory_ops[next.memory_id].same_always);
    }
    return stores;
}

void GlobalRaces::look(const BlockPosition& block, std::span<const GlobalAccess> accesses) {
    if (has_enough()) return;
    log_ = accesses;
    bool adds_up = false;  // accesses that add up in place: after the first, those that are replaced change nothing
    for (at_ = 0; at_ < accesses.size(); ++at_) {
        const GlobalAccess& access = accesses[at_];
        const bool repeats = is_replaced(accesses, at_);
        if (adds_up && repeats) continue;
        adds_up = false;
        Shadow* shadow = shadow_of(access.base);
        if (shadow != nullptr && changes_nothing(access, *shadow)) continue;
        Side me;
        me.position = block.position;
        me.linear = block.linear;
        me.memory_id = access.memory_id;
        me.kind = access.kind;
        me.is_volatile = access.is_volatile;
        me.same_value = access.same_value;
        me.value = access.value;
        const std::uint64_t op = std::min<std::uint64_t>(access.memory_id, (1ULL << op_bits) - 1);
        me.touch = (std::uint64_t{access.warp} * machine::warp_size) | (op << op_at) |
                   (std::uint64_t{access.interval & ((1U << interval_bits) - 1)} << interval_at) |
                   (std::uint64_t{access.epoch & ((1U << epoch_bits) - 1)} << epoch_at) | (block_number(block.position) << block_at_bit);
        // The common store of a result: adjacent words without earlier accesses.
        const machine::AccessPattern& pattern = *access.pattern;
        const bool fresh_row = shadow != nullptr && pattern.consecutive && pattern.bytes == 1U << granule_shift_ &&
                               access.kind == AccessKind::store && !shadow->readers.first.used() && !shadow->atomics.first.used() &&
                               access.base >= shadow->begin && access.base + pattern.high <= shadow->end;
        if (fresh_row) {
            std::uint64_t* words = shadow->writers.first.from((access.base - shadow->begin) >> granule_shift_);
            std::uint64_t any = 0;
            for (unsigned lane = 0; lane < machine::warp_size; ++lane) any |= words[lane];
            if (any == 0) {
                for (unsigned lane = 0; lane < machine::warp_size; ++lane) words[lane] = me.touch + lane;
                if (me.value != 0)
                    std::fill_n(shadow->values.from((access.base - shadow->begin) >> granule_shift_), machine::warp_size, me.value);
                continue;
            }
        }
        look_at_lanes(access, me);
        adds_up = repeats && is_own(access, me);
    }
}

// The stores that conflict with stores.
std::set<const machine::MemoryOp*> GlobalRaces::clashing_stores(std::uint64_t last) const {
    std::set<const machine::MemoryOp*> stores;
    for (const auto& [ids, race] : races_) {
        if (race.position > last || race.earlier.op->kind != AccessKind::store || race.later.op->kind != AccessKind::store) continue;
        stores.insert({race.earlier.op, race.later.op});
    }
    return stores;
}

std::vector<GlobalRace> GlobalRaces::races(std::uint64_t last) const {
    std::vector<GlobalRace> list;
    const auto stores = clashing_stores(last);
    for (const auto& [ids, race] : races_) {
        if (race.is_excused || race.position > last) continue;
        const bool several_write = stores.count(race.earlier.op) != 0 || stores.count(race.later.op) != 0;
        const auto is_volatile = [](const GlobalTouch& touch) { return instruction_of(touch).has(ptx::Modifier::volatile_); };
        const bool in_warp = !race.between_blocks && race.earlier.thread / machine::warp_size == race.later.thread / machine::warp_size;
        const bool is_flag = is_volatile(race.earlier) && is_volatile(race.later) && !in_warp;  // warps may wait for it
        if (is_flag && !several_write) continue;
        list.push_back(race);
        list.back().several_write = several_write;
    }
    const auto key = [](const GlobalRace& race) { return std::make_tuple(race.position, race.earlier.op, race.later.op); };
    std::sort(list.begin(), list.end(), [&](const GlobalRace& a, const GlobalRace& b) { return key(a) < key(b); });
    return list;
}

}  // namespace lab::observers
