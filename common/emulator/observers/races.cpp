#include "common/emulator/observers/races.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "common/emulator/machine/bits.h"
#include "common/emulator/machine/worker.h"

namespace lab::observers {
using machine::Op;

namespace {

// Accesses of one kind at one source line. The compiler may have made several instructions of it.
bool are_at_one_place(const Op& one, const Op& other) {
    if (&one == &other) return true;
    const auto place = [](const Op& op) { return op.function->module->student_place(op.function->source->body[op.index].where); };
    const ptx::Location at = place(one);
    const ptx::Location also = place(other);
    return at.line != 0 && at.file == also.file && at.line == also.line && one.kind == other.kind;
}

}  // namespace

void ExecutionOrder::start_interval() {
    executed_.clear();
    number_ = 0;
}

void ExecutionOrder::add(const Op* op, std::uint32_t warp) {
    Executed& executed = executed_[op][warp];
    ++number_;
    if (executed.first == 0) executed.first = number_;
    executed.last = number_;
}

void ExecutionOrder::add(std::span<const machine::SharedAccess> accesses) {
    for (const machine::SharedAccess& access : accesses) {
        add(access.op, access.warp);
        if (access.group == nullptr) continue;
        for (const auto& member : access.group->members) add(member.op, access.warp);
    }
}

ExecutionOrder::OfWarps ExecutionOrder::line_of(const Op& op) const {
    OfWarps line{};
    for (const auto& [executed_op, warps] : executed_) {
        if (!are_at_one_place(*executed_op, op)) continue;
        for (std::size_t warp = 0; warp < max_warps; ++warp) {
            const Executed& executed = warps[warp];
            if (executed.first == 0) continue;
            line[warp].first = line[warp].first == 0 ? executed.first : std::min(line[warp].first, executed.first);
            line[warp].last = std::max(line[warp].last, executed.last);
        }
    }
    return line;
}

bool ExecutionOrder::comes_before(const Op& first, const Op& second, std::uint32_t one, std::uint32_t other) const {
    const OfWarps before = line_of(first);
    const OfWarps after = line_of(second);
    const auto executes_both = [&](std::size_t warp) { return before[warp].first != 0 && after[warp].first != 0; };
    std::size_t warp = executes_both(one) ? one : other;
    if (!executes_both(warp)) {
        warp = 0;
        while (warp < max_warps && !executes_both(warp)) ++warp;
    }
    return warp < max_warps && before[warp].last < after[warp].first;
}

using machine::AccessKind;
using machine::SharedAccess;

namespace {

const ptx::Instruction& instruction_of(const Touch& touch) { return touch.op->function->source->body[touch.op->index]; }

bool any_bit(const std::vector<std::uint64_t>& bits, std::uint32_t first, std::uint32_t last) {
    return !machine::for_bit_words(first, last, [&](std::uint64_t at, std::uint64_t mask) { return (bits[at] & mask) == 0; });
}

void set_bits(std::vector<std::uint64_t>& bits, std::uint32_t first, std::uint32_t last) {
    machine::for_bit_words(first, last, [&](std::uint64_t at, std::uint64_t mask) {
        bits[at] |= mask;
        return true;
    });
}

// Whether an access, or another of its group, at these offsets from it, does what `visit` asks.
template <typename Visit>
bool any_of_group(const SharedAccess& access, const Visit& visit) {
    return visit(0) || (access.group != nullptr &&
                        std::ranges::any_of(access.group->members, [&](const auto& member) { return visit(member.offset); }));
}

// Words of a run, the last one included.
std::pair<std::uint32_t, std::uint32_t> words_of(std::int64_t begin, std::uint32_t bytes) {
    return {static_cast<std::uint32_t>(begin / 4), static_cast<std::uint32_t>((begin + bytes - 1) / 4)};
}

}  // namespace

bool RaceBlockObserver::clashes(const SharedAccess& access, std::int64_t offset) {
    for (const auto& run : access.pattern->runs) {
        const auto [first, last] = words_of(access.base + offset + run.begin, run.bytes);
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
        if (any_of_group(access, [&](std::int64_t offset) { return clashes(access, offset); })) return true;
    }
    return false;
}

bool RaceBlockObserver::has_company(const SharedAccess& access, std::int64_t offset) {
    const auto is_read_only = [&](const auto& run) {
        const auto [first, last] = words_of(access.base + offset + run.begin, run.bytes);
        return !any_bit(written_, first, last);
    };
    if (std::ranges::all_of(access.pattern->runs, is_read_only)) return false;
    for (machine::Mask left = access.pattern->mask; left != 0; left &= left - 1) {
        const unsigned lane = machine::first_lane(left);
        const std::uint32_t thread = access.warp * machine::warp_size + lane + 1;
        const auto [first, last] = words_of(access.base + offset + access.pattern->delta[lane], access.pattern->bytes);
        for (std::uint32_t word = first; word <= last; ++word) {
            if (!any_bit(written_, word, word)) continue;
            if (owners_[word] == 0) owners_[word] = thread;
            if (owners_[word] != thread) return true;
        }
    }
    return false;
}

bool RaceBlockObserver::shares_written_words(std::span<const SharedAccess> accesses) {
    std::fill(written_.begin(), written_.end(), 0);
    for (const SharedAccess& access : accesses) {
        for (const auto& run : access.pattern->runs) {
            const auto [first, last] = words_of(access.base + run.begin, run.bytes);
            if (access.kind != AccessKind::load) set_bits(written_, first, last);
        }
    }
    owners_.assign(written_.size() * 64, 0);
    return std::ranges::any_of(accesses, [&](const SharedAccess& access) {
        return any_of_group(access, [&](std::int64_t offset) { return has_company(access, offset); });
    });
}

void RaceBlockObserver::begin_block(const machine::Block& block) {
    open_ = false;
    clashes_ = 0;
    unordered_.clear();
    const std::size_t words = block.shared_bytes / 4 / 64 + 1;
    if (read_.size() < words) {
        read_.resize(words);
        written_.resize(words);
        atomic_.resize(words);
    }
}

void RaceBlockObserver::shared_interval(const machine::Block& block, std::span<const SharedAccess> accesses, bool complete) {
    // A kernel without a barrier has millions. The first blocks show which lines race; after them a few conflicts a block suffice. A limit
    // by the block's position doesn't depend on the number of workers.
    constexpr std::uint64_t first_blocks = 16;
    const std::uint64_t max_clashes = block.position < first_blocks ? 4096 : 512;
    if (clashes_ >= max_clashes) {
        if (!unordered_.empty()) order_.add(accesses);
        if (complete) end_interval();
        open_ = open_ && !complete;
        return;
    }
    if (complete && !open_ && (!may_clash(accesses) || !shares_written_words(accesses))) return;
    if (!open_) {
        check_.start_interval(block);
        order_.start_interval();
    }
    open_ = !complete;
    order_.add(accesses);
    check_.add(accesses, block, [&](const Touch& earlier, const Touch& later, std::uint32_t address) {
        Race& race = races_[{earlier.op, later.op}];
        // A race between two warps shows best that a barrier is missing, so it is preferred among those of one block.
        const bool is_known = race.count++ != 0;
        if (!is_known) race.is_excused = checked_by_swap(instruction_of(earlier), earlier.kind, instruction_of(later), later.kind);
        clashes_ += race.is_excused ? 0 : 1;
        const bool shows_more = race.position == block.position && race.within_warp() && earlier.warp != later.warp;
        if (!is_known || race.position > block.position || shows_more) show(race, earlier, later, address, block);
        return clashes_ < max_clashes;
    });
    if (complete) end_interval();
}

void RaceBlockObserver::show(Race& race, const Touch& earlier, const Touch& later, std::uint32_t address, const machine::Block& block) {
    race.earlier = earlier;
    race.later = later;
    race.address = address;
    race.block = block.linear;
    race.position = block.position;
    race.read_first = false;
    unordered_.push_back(&race);
}

void RaceBlockObserver::end_interval() {
    for (Race* const race : unordered_) {
        const bool writes_earlier = race->earlier.kind == AccessKind::store;
        const Touch& write = writes_earlier ? race->earlier : race->later;
        const Touch& read = writes_earlier ? race->later : race->earlier;
        race->read_first = write.kind == AccessKind::store && read.kind == AccessKind::load && !race->within_warp() &&
                           order_.comes_before(*read.op, *write.op, write.warp, read.warp);
    }
    unordered_.clear();
}

void RaceBlockObserver::end_block(const machine::Block& /*block*/) {
    end_interval();
    open_ = false;
}

machine::BlockObserver* RaceObserver::make_block_observer() {
    parts_.push_back(std::make_unique<RaceBlockObserver>());
    return parts_.back().get();
}

namespace {

bool comes_before(const Race& a, const Race& b) {
    const auto key = [](const Race& race) {
        const auto& earlier = *race.earlier.op;
        const auto& later = *race.later.op;
        return std::make_tuple(race.position, race.within_warp(), std::string_view(earlier.function->name), earlier.index,
                               std::string_view(later.function->name), later.index);
    };
    return key(a) < key(b);
}

}  // namespace

bool checked_by_swap(const ptx::Instruction& one, AccessKind kind, const ptx::Instruction& other, AccessKind other_kind) {
    using ptx::Modifier;
    const auto goes_beside = [](const ptx::Instruction& access, AccessKind access_kind, const ptx::Instruction& atomic) {
        const bool approaches = atomic.space != ptx::Space::shared && (atomic.has(Modifier::min) || atomic.has(Modifier::max) ||
                                                                       atomic.has(Modifier::and_) || atomic.has(Modifier::or_));
        return access.has(Modifier::volatile_) || (access_kind == AccessKind::load && (atomic.has(Modifier::cas) || approaches));
    };
    return (other_kind == AccessKind::atomic && goes_beside(one, kind, other)) ||
           (kind == AccessKind::atomic && goes_beside(other, other_kind, one));
}

std::vector<Race> RaceObserver::races(std::uint64_t last) const {
    std::vector<Race> all;
    for (const auto& part : parts_) {
        for (const auto& [key, race] : part->races()) {
            if (!race.is_excused && race.position <= last) all.push_back(race);
        }
    }
    std::sort(all.begin(), all.end(), comes_before);
    return all;
}

}  // namespace lab::observers
