#include "common/diagnosis/consumed_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <vector>

namespace lab::diagnosis {
namespace {

using trace::AccessKind;
using trace::Recording;
using trace::Space;
using ElementSet = std::set<Element>;
constexpr auto word_bytes = static_cast<std::uint32_t>(trace::word_bytes);

bool is_load(const Recording::Access& access, Space space) { return access.kind == AccessKind::load && access.space == space; }

// Whether all values that threads load from global memory or share are known: no atomics, no arrays that are both loaded and stored.
bool is_clear(const Recording& record) {
    std::set<std::uint32_t> loaded, stored;  // objects
    for (const Recording::Access& access : record.accesses) {
        if (!access.object || access.kind == AccessKind::atomic) return false;
        if (access.space == Space::global) (access.kind == AccessKind::load ? loaded : stored).insert(*access.object);
    }
    return std::ranges::none_of(loaded, [&](std::uint32_t object) { return stored.contains(object); });
}

// Elements of inputs by their bits. A value that several have tells nothing.
class ElementsByValue {
public:
    explicit ElementsByValue(const CallValues& values) : bytes_(static_cast<std::uint32_t>(values.bytes)) {
        for (const auto& [array, content] : values.inputs) {
            for (std::size_t at = 0; at + bytes_ <= content.size(); at += bytes_) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, &content[at], bytes_);
                const auto [entry, is_new] = elements_.try_emplace(bits, Element{array, at / bytes_});
                if (!is_new) entry->second.reset();
            }
        }
    }
    // Null if several have it, or none.
    [[nodiscard]] const Element* with(std::uint64_t bits) const {
        const auto found = elements_.find(bits);
        return found == elements_.end() || !found->second ? nullptr : &*found->second;
    }
    [[nodiscard]] bool has(std::uint64_t bits) const { return elements_.contains(bits); }
    [[nodiscard]] std::uint32_t words() const { return bytes_ / word_bytes; }  // that one element takes

private:
    std::uint32_t bytes_;
    std::map<std::uint64_t, std::optional<Element>> elements_;
};

// A thread's first read of an element, and how often it reads it.
struct TileRead {
    std::uint32_t interval = 0, access = 0, words = 0;
};

struct Thread {
    std::map<Element, TileRead> reads;
    std::map<std::uint32_t, std::uint64_t> words;  // read in all intervals, by access
    ElementSet own;                                // that it stores in shared memory itself, and could keep
    ElementSet outputs;
    bool has_all_reads = true, has_all_outputs = true;
};

// A value in a tile that is no element of an input, nor 0.
struct OtherValue {
    std::uint32_t access = 0, thread = 0;
    std::uint64_t bits = 0;
};

// Elements that the threads of one block take from tiles, up to the first interval that was not recorded or is not clear.
class Block {
public:
    Block(const trace::Launch& launch, const ElementsByValue& values, std::uint32_t index)
        : record_(*launch.recording), values_(values), index_(index) {
        for (const Recording::Access& access : record_.accesses)
            for_each_lane(access, index, [&](const auto&, std::uint32_t thread, std::uint64_t) { threads_[thread]; });
        std::map<std::uint32_t, const Recording::Interval*> intervals;
        for (const Recording::Interval& one : record_.intervals) {
            if (one.block == index) intervals[one.interval] = &one;
        }
        // Intervals that touch no shared memory are left out of the record.
        const std::uint32_t end = intervals.empty() ? 0 : intervals.rbegin()->first + 1;
        const Recording::Interval none;
        std::uint32_t next = 0;
        while (next < end && add(intervals.contains(next) ? *intervals[next] : none, next)) ++next;
        for (const auto& [word, element] : held_) {
            if (element) left_.insert(*element);
        }
        for (const Recording::Touched& touched : record_.touched) add_loads(touched, next);
        for (std::uint32_t access = 0; access < record_.accesses.size(); ++access) {
            look_at_loads(access);
            look_at_requests(access);
        }
    }
    // Threads of recorded warps.
    [[nodiscard]] const std::map<std::uint32_t, Thread>& threads() const { return threads_; }
    [[nodiscard]] bool may_read(const Thread& thread, const Element& element) const {
        return thread.reads.contains(element) || open_.contains(element) || (!thread.has_all_reads && left_.contains(element));
    }
    // Whether threads load elements of tiles for themselves, too.
    [[nodiscard]] bool takes_past_tiles() const { return takes_past_tiles_; }
    // Whether all that a thread takes is known.
    [[nodiscard]] bool knows(const Thread& thread) const { return open_.empty() && thread.has_all_reads && !other_value_; }
    // The array in shared memory that held an element.
    [[nodiscard]] std::optional<std::uint32_t> tile_of(const Element& element) const {
        const auto found = tiles_.find(element);
        return found == tiles_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] const std::optional<OtherValue>& other_value() const { return other_value_; }

private:
    // False if a doubt is left.
    bool add(const Recording::Interval& interval, std::uint32_t number) {
        std::map<std::uint32_t, std::uint32_t> stored;  // values by word
        for (const Recording::Word& word : interval.words) {
            const auto held = held_.find(word.word);
            const bool is_stored = !word.writes.empty();
            if (interval.is_cut || is_stored != word.value.has_value()) return false;
            if (!word.reads.empty() && (is_stored || held == held_.end())) return false;
            if (is_stored) stored[word.word] = *word.value;
            for (const Recording::Threads& readers : word.reads) {
                for (std::uint32_t nth = 0; nth < readers.count; ++nth) {
                    const auto reader = threads_.find(readers.first + nth * readers.step);
                    if (reader == threads_.end()) continue;
                    ++reader->second.words[readers.access];
                    if (!held->second) continue;
                    ++reader->second.reads.try_emplace(*held->second, TileRead{number, readers.access}).first->second.words;
                }
            }
        }
        std::optional<OtherValue> other;
        std::set<std::uint32_t> tiles;  // that get elements in this interval
        for (const Recording::Word& word : interval.words) {
            if (word.writes.empty()) continue;
            const std::optional<std::uint64_t> bits = value_at(word.word, stored);
            const Element* const element = bits ? values_.with(*bits) : nullptr;
            if (!bits || (element == nullptr && values_.has(*bits))) return false;
            const Recording::Threads& writer = word.writes.front();
            if (element != nullptr) {
                tiles.insert(*record_.accesses[writer.access].object);
                place(*element, word);
            } else if (*bits == 0) {
                held_[word.word].reset();
            } else if (!other) {
                other = OtherValue{writer.access, writer.first, *bits};
            }
        }
        if (!other) return true;
        // Where all are others, the kernel may keep sums there.
        if (tiles.contains(*record_.accesses[other->access].object)) other_value_ = other;
        return false;
    }

    // Bits of the element that a word is part of; nothing if the rest of it is not stored.
    [[nodiscard]] std::optional<std::uint64_t> value_at(std::uint32_t word, const std::map<std::uint32_t, std::uint32_t>& stored) const {
        const std::uint32_t first = word / values_.words() * values_.words();
        std::uint64_t bits = 0;
        for (std::uint32_t part = 0; part < values_.words(); ++part) {
            const auto found = stored.find(first + part);
            if (found == stored.end()) return {};
            bits |= std::uint64_t{found->second} << (32 * part);
        }
        return bits;
    }

    void place(const Element& element, const Recording::Word& word) {
        held_[word.word] = element;
        for (const Recording::Threads& writers : word.writes) {
            tiles_[element] = *record_.accesses[writers.access].object;
            for (std::uint32_t nth = 0; nth < writers.count; ++nth) {
                if (const auto own = threads_.find(writers.first + nth * writers.step); own != threads_.end())
                    own->second.own.insert(element);
            }
        }
    }

    [[nodiscard]] Element element(const Recording::Object& array, std::uint64_t offset) const {
        return {array.name, offset / (values_.words() * word_bytes)};
    }

    // Adds elements that the block loads, and that may still come into a tile after the intervals before `end`.
    void add_loads(const Recording::Touched& touched, std::uint32_t end) {
        const Recording::Object& array = record_.objects[touched.object];
        if (touched.block != index_ || touched.kind != AccessKind::load) return;
        for (const trace::ByteRun& run : touched.runs) {
            for (std::uint64_t at = run.begin; at < run.end; at += word_bytes) {
                const Element loaded = element(array, at);
                if (touched.interval >= end || !tiles_.contains(loaded)) open_.insert(loaded);
            }
        }
    }

    // A thread that loads what it does not store in shared memory takes it past the tiles.
    void look_at_loads(std::uint32_t index) {
        const Recording::Access& access = record_.accesses[index];
        if (!is_load(access, Space::global)) return;
        bool is_past_tiles = false;
        for_each_lane(access, index_, [&](const auto&, std::uint32_t thread, std::uint64_t address) {
            const Recording::Object& array = record_.objects[*access.object];
            const Element loaded = element(array, address - array.begin);
            is_past_tiles = is_past_tiles || (!open_.contains(loaded) && !threads_.at(thread).own.contains(loaded));
        });
        takes_past_tiles_ = takes_past_tiles_ || is_past_tiles;
    }

    // Outputs; and whether an access has as many executions as there are reads and outputs.
    void look_at_requests(std::uint32_t index) {
        const Recording::Access& access = record_.accesses[index];
        const bool is_output = access.space == Space::global && access.kind == AccessKind::store;
        if (!access.object || (!is_output && !is_load(access, Space::shared))) return;
        std::set<std::uint32_t> whole;  // warps of which the last request is kept
        for (const Recording::Request& request : access.kept) {
            if (request.block == index_ && request.iteration + 1 == request.of) whole.insert(request.warp);
        }
        for (const Recording::Request& request : access.kept) {
            for (std::uint32_t lane = 0; request.block == index_ && lane < request.lanes.size(); ++lane) {
                const auto thread = threads_.find(static_cast<std::uint32_t>(request.warp * request.lanes.size() + lane));
                if (thread == threads_.end()) continue;
                Thread& one = thread->second;
                if (!is_output) {
                    one.has_all_reads = one.has_all_reads && one.words[index] * word_bytes == std::uint64_t{request.of} * access.bytes;
                    continue;
                }
                one.has_all_outputs = one.has_all_outputs && whole.contains(request.warp);
                if (!request.lanes[lane]) continue;
                const Recording::Object& array = record_.objects[*access.object];
                const std::uint64_t offset = request.address + static_cast<std::uint64_t>(*request.lanes[lane]) - array.begin;
                for (std::uint32_t at = 0; at < access.bytes; at += word_bytes) one.outputs.insert(element(array, offset + at));
            }
        }
    }

    const Recording& record_;
    const ElementsByValue& values_;
    std::uint32_t index_;
    std::map<std::uint32_t, Thread> threads_;
    std::map<std::uint32_t, std::optional<Element>> held_;  // by word of shared memory; nothing: 0
    std::map<Element, std::uint32_t> tiles_;                // arrays in shared memory, as objects
    ElementSet left_, open_;                                // in shared memory after what is known; loaded, and not known in a tile
    std::optional<OtherValue> other_value_;
    bool takes_past_tiles_ = false;
};

// The only thread with these outputs, or null.
const Thread* only_with(const ElementSet& outputs, const Block& block) {
    const Thread* found = nullptr;
    for (const auto& [number, thread] : block.threads()) {
        if (thread.outputs.empty() || !thread.has_all_outputs || thread.outputs != outputs) continue;
        if (found != nullptr) return nullptr;
        found = &thread;
    }
    return found;
}

// By array, the elements that a thread reads and the other kernel's thread does not take.
template <typename IsTaken>
std::map<std::string, std::vector<Element>> reads_beyond(const Thread& thread, const IsTaken& is_taken) {
    std::map<std::string, std::vector<Element>> elements;
    for (const auto& [element, reading] : thread.reads) {
        if (!is_taken(element)) elements[element.first].push_back(element);
    }
    return elements;
}

// The only line that reads an array in shared memory, or 0.
std::uint32_t only_reader(const Recording& record, std::uint32_t tile) {
    std::set<std::uint32_t> lines;
    for (const Recording::Access& access : record.accesses) {
        if (is_load(access, Space::shared) && access.object == tile) lines.insert(access.where.line);
    }
    return lines.size() == 1 ? *lines.begin() : 0;
}

// The first array, with a known line, of which a thread takes less than its outputs need: its first read of another element, or the read
// that ends too early.
std::optional<Difference> difference_of(const Thread& thread, const Thread& other, const Block& wrong, const Block& right,
                                        const Recording& record, const Names& names) {
    const auto name_of = [&](const Element& element) { return names.element(element.first, element.second); };
    const auto order = [&](const Element& element) {
        const TileRead& reading = thread.reads.at(element);
        const Recording::Place& where = record.accesses[reading.access].where;
        return std::tuple(reading.interval, where.line, where.column, element.second);
    };
    const auto instead = reads_beyond(thread, [&](const Element& one) { return right.may_read(other, one); });
    const auto is_taken = [&](const Element& one) { return wrong.may_read(thread, one) || thread.own.contains(one); };
    for (const auto& [array, needed] : reads_beyond(other, is_taken)) {
        std::string text;
        std::uint32_t line = 0;
        if (const auto reads = instead.find(array); reads != instead.end()) {
            const Element& first = *std::ranges::min_element(reads->second, {}, order);
            const Recording::Access& access = record.accesses[thread.reads.at(first).access];
            line = access.where.line;
            text = fmt::format("reads {} from {}", name_of(first), record.objects[*access.object].name);
        } else if (const auto tile = wrong.tile_of(needed.front())) {
            line = only_reader(record, *tile);
            text = "leaves out elements of " + record.objects[*tile].name;
        }
        if (line == 0) continue;
        const std::string outputs = thread.outputs.size() == 1 ? "output " + name_of(*thread.outputs.begin()) + " needs" : "outputs need";
        return Difference{line, fmt::format("{}; its {} {}, which it never uses", text, outputs, name_of(needed.front()))};
    }
    return {};
}

// Where a thread takes what its outputs need and no more, and one of them is wrong: an element that it takes more than once, or all that
// it does with them.
std::optional<Difference> difference_of_arithmetic(const Thread& thread, const Thread& other, const ElementSet& wrong_outputs,
                                                   const Recording& record, const Names& names) {
    const auto output = std::ranges::find_if(thread.outputs, [&](const Element& one) { return wrong_outputs.contains(one); });
    const auto same = [](const auto& one, const auto& another) { return one.first == another.first; };
    if (output == thread.outputs.end() || thread.reads.empty() || !std::ranges::equal(thread.reads, other.reads, same)) return {};
    for (const auto& [element, reading] : thread.reads) {
        const Recording::Access& access = record.accesses[reading.access];
        const std::uint32_t once = other.reads.at(element).words;
        if (reading.words <= once || reading.words % once != 0) continue;
        return Difference{
            access.where.line,
            fmt::format("reads {} {} times from {}; {} needs it once", names.element(element.first, element.second), reading.words / once,
                        record.objects[*access.object].name, names.element(output->first, output->second))};
    }
    // What it reads of constant memory is not compared.
    const auto is_constant = [](const Recording::Access& access) { return access.space == Space::constant; };
    if (std::ranges::any_of(record.accesses, is_constant)) return {};
    std::set<std::uint32_t> lines;
    for (const auto& [element, reading] : thread.reads) lines.insert(record.accesses[reading.access].where.line);
    for (const Recording::Access& access : record.accesses) {
        if (access.space == Space::global && access.kind == AccessKind::store) lines.insert(access.where.line);
    }
    if (lines.contains(0)) return {};
    return Difference{*lines.begin(),
                      fmt::format("reads the elements that {} needs, and no others, but does not combine them as it should",
                                  names.element(output->first, output->second)),
                      *lines.rbegin()};
}

std::optional<Difference> difference_of_value(const OtherValue& other, const ElementsByValue& values, const Recording& record) {
    const Recording::Access& store = record.accesses[other.access];
    const bool is_double = values.words() == 2;
    const double value = is_double ? std::bit_cast<double>(other.bits) : std::bit_cast<float>(static_cast<std::uint32_t>(other.bits));
    if (store.where.line == 0) return {};
    return Difference{store.where.line, fmt::format("stores {} in {}, which is no element of an input, nor 0",
                                                    is_double ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value)),
                                                    record.objects[*store.object].name)};
}

class Comparison {
public:
    Comparison(const trace::Launch& wrong, const trace::Launch& right, const CallValues& values, const RowLengths& rows)
        : wrong_(wrong), right_(right), values_(values), by_value_(values), names_(wrong, rows) {}

    [[nodiscard]] std::optional<Difference> of_block(std::uint32_t index) const {
        const Recording& record = *wrong_.recording;
        const Block here(wrong_, by_value_, index), there(right_, by_value_, index);
        // A thread without outputs may hand on what it reads.
        const auto hands_on = [](const auto& one) { return one.second.outputs.empty() && !one.second.reads.empty(); };
        if (here.takes_past_tiles() || there.takes_past_tiles() || std::ranges::any_of(here.threads(), hands_on)) return {};
        const auto with_place = [&](std::optional<Difference> found, std::uint32_t thread) {
            if (found) found->text = fmt::format("{} of {} {}", names_.thread(thread), names_.block(index), found->text);
            return found;
        };
        std::optional<Difference> of_arithmetic;
        for (const auto& [number, thread] : here.threads()) {
            const Thread* const other = only_with(thread.outputs, there);
            if (other == nullptr || only_with(thread.outputs, here) != &thread) continue;
            if (auto found = difference_of(thread, *other, here, there, record, names_)) return with_place(found, number);
            if (!of_arithmetic && here.knows(thread) && there.knows(*other))
                of_arithmetic = with_place(difference_of_arithmetic(thread, *other, values_.wrong, record, names_), number);
        }
        if (const auto& other = here.other_value(); other && !there.other_value())
            return with_place(difference_of_value(*other, by_value_, record), other->thread);
        return of_arithmetic;
    }

private:
    const trace::Launch &wrong_, &right_;
    const CallValues& values_;
    ElementsByValue by_value_;
    Names names_;
};

}  // namespace

std::optional<Difference> first_consumed_difference(const trace::Launch& wrong, const trace::Launch& right, const CallValues& values,
                                                    const RowLengths& rows) {
    if (!is_clear(*wrong.recording) || !is_clear(*right.recording)) return {};
    const Comparison comparison(wrong, right, values, rows);
    for (std::uint32_t index = 0; index < wrong.recording->blocks.size(); ++index) {
        if (auto found = comparison.of_block(index)) return found;
    }
    return {};
}

}  // namespace lab::diagnosis
