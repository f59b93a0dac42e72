#include "common/emulator/observers/recorded_block.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/emulator/machine/code.h"
#include "common/emulator/observers/explain.h"
#include "common/emulator/observers/races.h"

namespace lab::observers {

using machine::AccessKind;
using machine::AccessPattern;
using machine::Mask;
using machine::Op;
using trace::Recording;
using Space = trace::Space;

namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr std::uint32_t kept_iterations = 8;           // executions of an access by a warp
constexpr std::uint32_t kept_intervals = 4;            // intervals of the first block,
constexpr std::uint32_t kept_intervals_of_others = 2;  // and of each other block
constexpr std::uint64_t max_open_touches = 1U << 20U;  // accesses to words in an interval; a kernel without a barrier has many more
constexpr std::uint64_t max_kept_clashes = 4096;       // conflicts in an interval, after which it is not searched further
constexpr std::size_t max_runs = 4096;                 // runs of an object in an interval

ptx::Location source_place(const Op* op) {
    const ptx::Instruction* const instruction = observers::instruction_of(op);
    return instruction == nullptr ? ptx::Location{} : op->function->module->student_place(instruction->where);
}

// Sorts, and joins runs that touch.
void join_runs(std::vector<machine::ByteRun>* runs) {
    std::sort(runs->begin(), runs->end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::vector<machine::ByteRun> joined;
    for (const machine::ByteRun& run : *runs) {
        if (!joined.empty() && run.begin <= joined.back().end) {
            joined.back().end = std::max(joined.back().end, run.end);
        } else {
            joined.push_back(run);
        }
    }
    *runs = std::move(joined);
}

// Index of an object, which is added if it is new.
std::uint32_t index_of(const Recording::Object& object, std::vector<Recording::Object>* objects) {
    const auto found = std::find_if(objects->begin(), objects->end(), [&](const Recording::Object& known) {
        return known.space == object.space && known.begin == object.begin && known.bytes == object.bytes;
    });
    const auto index = static_cast<std::uint32_t>(found - objects->begin());
    if (found == objects->end()) objects->push_back(object);
    return index;
}

// Threads in ascending order, as arithmetic progressions.
void append_threads(std::uint32_t access, const std::vector<std::uint32_t>& threads, std::vector<Recording::Threads>* list) {
    for (std::size_t i = 0; i < threads.size();) {
        Recording::Threads run{access, threads[i], 1, 1};
        if (i + 1 < threads.size()) run.step = threads[i + 1] - threads[i];
        while (i + run.count < threads.size() && threads[i + run.count] - threads[i + run.count - 1] == run.step) ++run.count;
        if (run.count == 1) run.step = 1;
        i += run.count;
        list->push_back(run);
    }
}

}  // namespace

RecordedBlock::RecordedBlock(const LaunchContext& context, const MemoryRules& rules, std::uint64_t linear, std::uint32_t index)
    : context_(context),
      rules_(rules),
      linear_(linear),
      index_(index),
      warps_(static_cast<std::uint32_t>((context.block.count() + machine::warp_size - 1) / machine::warp_size)),
      words_(context.shared_bytes / word_bytes + 1) {}

bool RecordedBlock::keeps_interval() const { return open_.interval < (index_ == 0 ? kept_intervals : kept_intervals_of_others); }

Recording::Place RecordedBlock::place_of(const Op* op) const {
    const ptx::Location at = source_place(op);
    const auto& files = context_.module->files;
    return {at.file < files.size() ? files[at.file] : "", at.line, at.column};
}

std::optional<std::uint32_t> RecordedBlock::object_at(std::uint64_t address) {
    for (std::uint32_t i = 0; i < own_.objects.size(); ++i) {
        const Recording::Object& object = own_.objects[i];
        if (object.space != Space::shared && address >= object.begin && address - object.begin < object.bytes) return i;
    }
    const machine::Allocation* const allocation = context_.memory->find(address);
    if (allocation == nullptr) return std::nullopt;
    const bool is_constant = allocation->kind == machine::AllocationKind::constant;
    std::string name = context_.memory->locate(address, 1).object.name;
    if (name.empty() && allocation->where.is_known())
        name = "allocated at " + allocation->where.file + ":" + std::to_string(allocation->where.line);
    return index_of({std::move(name), is_constant ? Space::constant : Space::global, allocation->address, allocation->size}, &own_.objects);
}

std::uint32_t RecordedBlock::shared_object_at(std::uint64_t offset) {
    for (std::uint32_t i = 0; i < own_.objects.size(); ++i) {
        const Recording::Object& object = own_.objects[i];
        if (object.space == Space::shared && offset >= object.begin && offset - object.begin < object.bytes) return i;
    }
    const Location location = in_shared_variable(offset, 1, context_);
    return index_of({location.object.name, Space::shared, offset - static_cast<std::uint64_t>(location.offset), location.object.size},
                    &own_.objects);
}

std::uint32_t RecordedBlock::access_of(const Op* op, AccessKind kind, Space space, Object object, std::uint32_t bytes) {
    const ptx::Location at = source_place(op);
    const auto [entry, is_new] =
        known_.try_emplace({at.file, at.line, at.column, kind, space, object, bytes}, static_cast<std::uint32_t>(own_.accesses.size()));
    if (is_new) {
        Recording::Access access{.where = place_of(op), .kind = kind, .space = space, .object = object, .bytes = bytes};
        own_.accesses.push_back(std::move(access));
        executed_.emplace_back(warps_, 0);
    }
    return entry->second;
}

void RecordedBlock::keep(std::uint32_t index, std::uint32_t warp, std::uint64_t base, const AccessPattern& pattern, Cost cost) {
    Recording::Access& access = own_.accesses[index];
    ++access.seen;
    access.seen_cost += cost.now;
    access.seen_ideal += cost.ideal;
    const std::uint32_t iteration = executed_[index][warp]++;
    if (iteration >= kept_iterations || (warp != 0 && warp != 1 && warp != warps_ - 1)) return;
    Recording::Request request{
        .block = index_, .warp = warp, .iteration = iteration, .address = base + static_cast<std::uint64_t>(pattern.low)};
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        const unsigned lane = machine::first_lane(left);
        request.lanes[lane] = pattern.delta[lane] - pattern.low;
    }
    request.cost = cost.now;
    request.ideal = cost.ideal;
    access.kept.push_back(request);
}

RecordedBlock::Cost RecordedBlock::cost_of(const machine::GlobalAccess& access, Space space) const {
    constexpr std::uint32_t sector_bytes = 32;
    constexpr std::uint32_t sectors_a_line = 4;
    const AccessPattern& pattern = *access.pattern;
    const auto alignment = static_cast<unsigned>(access.base & 127U);
    if (space == Space::constant) return {rules_.constant_passes(pattern, alignment), 1};
    std::uint32_t distinct = 0;
    for (const AccessPattern::Run& run : pattern.runs) distinct += run.bytes;
    const std::uint32_t ideal = (distinct + sector_bytes - 1) / sector_bytes;
    if (access.kind != AccessKind::load || !rules_.loads_whole_lines()) return {rules_.sectors(pattern, alignment), ideal};
    return {machine::lines_of(pattern, alignment) * sectors_a_line, (ideal + sectors_a_line - 1) / sectors_a_line * sectors_a_line};
}

void RecordedBlock::global(std::span<const machine::GlobalAccess> accesses) {
    for (const machine::GlobalAccess& access : accesses) {
        const AccessPattern& pattern = *access.pattern;
        const Object object = object_at(access.base);
        const bool is_constant = context_.code->memory_ops[access.memory_id].space == ptx::Space::constant;
        const Space space = is_constant ? Space::constant : Space::global;
        keep(access_of(access.op, access.kind, space, object, pattern.bytes), access.warp, access.base, pattern, cost_of(access, space));
        if (!object || is_constant) continue;
        Recording::Touched& touched = touched_[{access.interval, *object, access.kind}];
        if (touched.is_cut) continue;
        const std::uint64_t at = access.base - own_.objects[*object].begin;
        for (const AccessPattern::Run& run : pattern.runs) {
            const std::uint64_t begin = at + static_cast<std::uint64_t>(run.begin);
            touched.runs.push_back({begin, begin + run.bytes});
        }
        if (touched.runs.size() >= 4 * max_runs) join_runs(&touched.runs);
        touched.is_cut = touched.runs.size() >= 4 * max_runs;
    }
}

void RecordedBlock::touch(std::uint32_t access, std::uint32_t warp, std::uint32_t base, const AccessPattern& pattern, AccessKind kind) {
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        const unsigned lane = machine::first_lane(left);
        const auto begin = static_cast<std::uint32_t>(base + pattern.delta[lane]);
        for (std::uint32_t word = begin / word_bytes; word * word_bytes < begin + pattern.bytes; ++word) {
            Word& touched = words_[word];
            if (touched.touches.empty()) open_words_.push_back(word);
            touched.touches.push_back({access, warp * machine::warp_size + lane, kind != AccessKind::load});
            if (kind == AccessKind::atomic) touched.touches.push_back({access, warp * machine::warp_size + lane, false});
            ++open_touches_;
        }
    }
}

void RecordedBlock::mark_used(std::uint32_t base, const AccessPattern& pattern) {
    for (const AccessPattern::Run& run : pattern.runs) {
        const auto begin = static_cast<std::uint32_t>(base + run.begin);
        for (std::uint32_t word = begin / word_bytes; word * word_bytes < begin + run.bytes; ++word) words_[word].is_used = true;
    }
}

void RecordedBlock::one_shared(const machine::SharedAccess& access) {
    const AccessPattern& pattern = *access.pattern;
    const std::uint32_t object = shared_object_at(access.base);
    const std::uint32_t index = access_of(access.op, access.kind, Space::shared, object, pattern.bytes);
    keep(index, access.warp, access.base, pattern, {rules_.wavefronts(pattern, access.base & 127U), rules_.ideal_wavefronts(pattern)});
    mark_used(access.base, pattern);
    if (!keeps_interval()) return;
    if (open_touches_ >= max_open_touches) {
        open_.is_cut = true;
        return;
    }
    touch(index, access.warp, access.base, pattern, access.kind);
}

void RecordedBlock::find_races(const machine::Block& block, std::span<const machine::SharedAccess> accesses) {
    races_.add(accesses, block, [&](const observers::Touch& earlier, const observers::Touch& later, std::uint32_t address) {
        if (checked_by_swap(*instruction_of(earlier.op), earlier.kind, *instruction_of(later.op), later.kind)) return true;
        const auto side = [&](const observers::Touch& touch) {
            const std::uint32_t object = shared_object_at(address);
            const std::uint32_t bytes = std::uint32_t{touch.op->width} * touch.op->vector;
            return Recording::RaceSide{access_of(touch.op, touch.kind, Space::shared, object, bytes),
                                       touch.warp * machine::warp_size + touch.lane, touch.kind};
        };
        ++clashes_;
        const Recording::SharedRace race{address / word_bytes, side(earlier), side(later), 1};
        const auto same = std::find_if(open_.races.begin(), open_.races.end(), [&](const Recording::SharedRace& known) {
            return known.earlier.access == race.earlier.access && known.later.access == race.later.access;
        });
        same != open_.races.end() ? void(++same->count) : open_.races.push_back(race);
        return clashes_ < max_kept_clashes;
    });
}

void RecordedBlock::close_interval(const machine::Block& block) {
    std::sort(open_words_.begin(), open_words_.end());
    for (const std::uint32_t at : open_words_) {
        Word& word = words_[at];
        Recording::Word kept{.word = at, .before = word.last_write};
        // In the order of execution, so the last write is the one that the next interval reads.
        for (const Touch& touch : word.touches) {
            if (touch.is_write) word.last_write = {touch.access, touch.thread, open_.interval};
        }
        std::map<std::pair<bool, std::uint32_t>, std::vector<std::uint32_t>> threads;
        for (const Touch& touch : word.touches) threads[{touch.is_write, touch.access}].push_back(touch.thread);
        for (auto& [key, list] : threads) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
            append_threads(key.second, list, key.first ? &kept.writes : &kept.reads);
        }
        word.touches.clear();
        if (!kept.writes.empty() && std::size_t{at + 1} * word_bytes <= block.shared_bytes)
            std::memcpy(&kept.value.emplace(), block.shared + std::size_t{at} * word_bytes, word_bytes);
        open_.words.push_back(std::move(kept));
    }
    open_words_.clear();
    open_touches_ = 0;
    clashes_ = 0;
    Recording::Interval next;
    const auto waiting =
        std::find_if(block.warps.begin(), block.warps.end(), [](const auto& warp) { return warp.state == machine::WarpState::barrier; });
    if (waiting != block.warps.end()) open_.to = place_of(waiting->barrier_op);
    next.block = index_;
    next.from = open_.to;
    next.interval = open_.interval + 1;
    if (keeps_interval() && !open_.words.empty()) own_.intervals.push_back(std::move(open_));
    open_ = std::move(next);
    is_open_ = false;
}

void RecordedBlock::shared(const machine::Block& block, std::span<const machine::SharedAccess> accesses, bool complete) {
    const bool is_kept = keeps_interval();
    if (is_kept && !is_open_) {
        races_.start_interval(block);
        is_open_ = true;
        open_.block = index_;
    }
    for (const machine::SharedAccess& access : accesses) {
        one_shared(access);
        if (access.group == nullptr) continue;
        for (const machine::AccessGroup::Member& member : access.group->members) {
            machine::SharedAccess one = access;
            one.base += static_cast<std::uint32_t>(member.offset);
            one.op = member.op;
            one_shared(one);
        }
    }
    if (is_kept && clashes_ < max_kept_clashes) find_races(block, accesses);
    if (complete) close_interval(block);
}

std::vector<std::uint32_t> RecordedBlock::add_objects_to(Recording* all) const {
    std::vector<std::uint32_t> objects;
    for (const Recording::Object& object : own_.objects) {
        objects.push_back(index_of(object, &all->objects));
        if (object.space != Space::shared) continue;
        std::vector<machine::ByteRun>& used = all->objects[objects.back()].used;
        for (std::uint64_t at = 0; at + word_bytes <= object.bytes; at += word_bytes) {
            if (words_[(object.begin + at) / word_bytes].is_used) used.push_back({at, at + word_bytes});
        }
        join_runs(&used);
    }
    return objects;
}

std::vector<std::uint32_t> RecordedBlock::add_accesses_to(Recording* all, const std::vector<std::uint32_t>& objects) const {
    std::vector<std::uint32_t> accesses;
    for (std::size_t i = 0; i < own_.accesses.size(); ++i) {
        Recording::Access access = own_.accesses[i];
        if (access.object) access.object = objects[*access.object];
        for (Recording::Request& request : access.kept) request.of = executed_[i][request.warp];
        const auto same = std::find_if(all->accesses.begin(), all->accesses.end(), [&](const Recording::Access& known) {
            return known.where.file == access.where.file && known.where.line == access.where.line &&
                   known.where.column == access.where.column && known.kind == access.kind && known.space == access.space &&
                   known.object == access.object && known.bytes == access.bytes;
        });
        accesses.push_back(static_cast<std::uint32_t>(same - all->accesses.begin()));
        if (same == all->accesses.end()) {
            all->accesses.push_back(std::move(access));
            continue;
        }
        same->seen += access.seen;
        same->seen_cost += access.seen_cost;
        same->seen_ideal += access.seen_ideal;
        same->kept.insert(same->kept.end(), access.kept.begin(), access.kept.end());
    }
    return accesses;
}

void RecordedBlock::add_to(Recording* all) const {
    const std::vector<std::uint32_t> objects = add_objects_to(all);
    const std::vector<std::uint32_t> accesses = add_accesses_to(all, objects);
    for (Recording::Interval interval : own_.intervals) {
        for (Recording::Word& word : interval.words) {
            for (Recording::Threads& threads : word.writes) threads.access = accesses[threads.access];
            for (Recording::Threads& threads : word.reads) threads.access = accesses[threads.access];
            if (word.before) word.before->access = accesses[word.before->access];
        }
        for (Recording::SharedRace& race : interval.races) {
            race.earlier.access = accesses[race.earlier.access];
            race.later.access = accesses[race.later.access];
        }
        all->intervals.push_back(std::move(interval));
    }
    for (const auto& [key, found] : touched_) {
        Recording::Touched touched = found;
        touched.block = index_;
        touched.interval = std::get<0>(key);
        touched.object = objects[std::get<1>(key)];
        touched.kind = std::get<2>(key);
        join_runs(&touched.runs);
        if (touched.runs.size() > max_runs) {
            touched.runs.resize(max_runs);
            touched.is_cut = true;
        }
        all->touched.push_back(std::move(touched));
    }
}

}  // namespace lab::observers
