#include "common/diagnosis/consumed_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace lab::diagnosis {
namespace {

using trace::AccessKind;
using trace::Recording;
using trace::Space;
using Bytes = std::map<std::string, std::uint64_t>;                // an element's, by array
using Sources = std::map<std::uint32_t, std::uint32_t>;            // loads from global memory, by the stores to shared memory
using Element = std::pair<std::string, std::uint64_t>;             // array, number
using Addresses = std::vector<std::optional<std::uint64_t>>;       // by thread
using Stores = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // thread, word of shared memory
using Loaded = std::map<std::string, std::set<std::uint64_t>>;     // words of arrays
constexpr auto word_bytes = static_cast<std::uint32_t>(trace::word_bytes);

bool is_load(const Recording::Access& access, Space space) { return access.kind == AccessKind::load && access.space == space; }

// A store takes the value of the only other access on its line. Nothing if values may come in another way: through shared memory, through
// registers, or through an array that is both loaded and stored.
std::optional<Sources> sources_of(const trace::Launch& launch) {
    Sources sources;
    std::set<std::uint32_t> loads, stored, tiled;  // loads that are sources, objects
    const std::vector<Recording::Access>& all = launch.recording->accesses;
    for (std::uint32_t to = 0; to < all.size(); ++to) {
        const Recording::Access& store = all[to];
        if (!store.object) return {};
        if (store.kind != AccessKind::load && store.space == Space::global) stored.insert(*store.object);
        if (store.kind == AccessKind::load || store.space != Space::shared) continue;
        std::vector<std::uint32_t> others;
        for (std::uint32_t from = 0; from < all.size(); ++from) {
            const Recording::Place& where = all[from].where;
            if (from != to && where.line == store.where.line && where.file == store.where.file) others.push_back(from);
        }
        if (others.size() != 1 || store.where.line == 0 || store.kind == AccessKind::atomic) return {};
        const Recording::Access& load = all[others.front()];
        if (!is_load(load, Space::global) || !load.object || load.bytes != store.bytes) return {};
        sources[to] = others.front();
        loads.insert(others.front());
        tiled.insert(*load.object);
    }
    for (std::uint32_t access = 0; access < all.size(); ++access) {
        if (!is_load(all[access], Space::global)) continue;
        if (stored.contains(*all[access].object) || (tiled.contains(*all[access].object) && !loads.contains(access))) return {};
    }
    return sources;
}

// A thread's first read of an element.
struct TileRead {
    std::uint32_t interval = 0, access = 0;
};

struct Thread {
    std::map<Element, TileRead> reads;
    std::map<std::uint32_t, std::uint64_t> words;  // read in all intervals, by access
    std::set<Element> own;                         // that it loads itself, and could keep
    std::set<Element> outputs;
    bool has_all_reads = true, has_all_outputs = true;
};

// Elements that the threads of one block take from tiles, up to the first interval that was not recorded or is not clear.
class Block {
public:
    Block(const trace::Launch& launch, const Bytes& bytes, const Sources& sources, std::uint32_t index)
        : launch_(launch), record_(*launch.recording), bytes_(bytes), sources_(sources), index_(index) {
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
        for (std::uint32_t access = 0; access < record_.accesses.size(); ++access) look_at_requests(access);
        for (const auto& [word, element] : held_) {
            if (element) left_.insert(*element);
        }
        for (const auto& [array, words] : loaded(next, std::numeric_limits<std::uint32_t>::max())) {
            for (const std::uint64_t word : words) later_.insert(element(array, word * word_bytes));
        }
    }
    // Of recorded warps.
    [[nodiscard]] const std::map<std::uint32_t, Thread>& threads() const { return threads_; }
    [[nodiscard]] bool may_read(const Thread& thread, const Element& element) const {
        return thread.reads.contains(element) || later_.contains(element) || (!thread.has_all_reads && left_.contains(element));
    }
    // The array in shared memory that held an element.
    [[nodiscard]] std::optional<std::uint32_t> tile_of(const Element& element) const {
        const auto found = tiles_.find(element);
        return found == tiles_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    [[nodiscard]] Element element(const std::string& array, std::uint64_t offset) const { return {array, offset / bytes_.at(array)}; }
    [[nodiscard]] const Recording::Object& object_of(const Recording::Access& access) const { return record_.objects[*access.object]; }

    // Words of arrays with tiles that the block loads in these intervals.
    [[nodiscard]] Loaded loaded(std::uint32_t first_interval, std::uint32_t last) const {
        Loaded words;
        for (const Recording::Touched& touched : record_.touched) {
            if (touched.block != index_ || touched.interval < first_interval || touched.interval > last) continue;
            const auto is_source = [&](const auto& one) { return record_.accesses[one.second].object == touched.object; };
            if (touched.kind != AccessKind::load || std::ranges::none_of(sources_, is_source)) continue;
            for (const trace::ByteRun& run : touched.runs) {
                for (std::uint64_t at = run.begin; at < run.end; at += word_bytes)
                    words[record_.objects[touched.object].name].insert(at / word_bytes);
            }
        }
        return words;
    }

    // Of one execution. Those of other warps continue what the recorded ones show along x and y; nothing if these show nothing regular.
    [[nodiscard]] std::optional<Addresses> addresses(std::uint32_t access, std::uint32_t iteration) const {
        Addresses all(launch_.block.count());
        for_each_lane(record_.accesses[access], index_, [&](const auto& request, std::uint32_t thread, std::uint64_t address) {
            if (request.iteration == iteration) all[thread] = address;
        });
        const auto some = std::ranges::find_if(all, [](const auto& one) { return one.has_value(); });
        if (some == all.end() || threads_.size() == all.size()) return all;
        const auto first = static_cast<std::size_t>(some - all.begin());
        const std::size_t width = launch_.block.x;
        std::uint64_t along_x = 0, along_y = 0;
        for (std::size_t thread = first; thread < all.size(); ++thread) {
            if (!all[thread]) continue;
            if ((thread + 1) % width != 0 && all[thread + 1]) along_x = *all[thread + 1] - *all[thread];
            if (thread + width < all.size() && all[thread + width]) along_y = *all[thread + width] - *all[thread];
        }
        const std::uint64_t origin = **some - along_x * (first % width) - along_y * (first / width);
        for (std::size_t thread = 0; thread < all.size(); ++thread) {
            const std::uint64_t regular = origin + along_x * (thread % width) + along_y * (thread / width);
            if (all[thread].value_or(regular) != regular) return {};
            if (!threads_.contains(static_cast<std::uint32_t>(thread))) all[thread] = regular;
        }
        return all;
    }

    // False if a doubt is left.
    bool add(const Recording::Interval& interval, std::uint32_t number) {
        std::map<std::uint32_t, Stores> stores;
        for (const Recording::Word& word : interval.words) {
            const auto held = held_.find(word.word);
            const bool is_read = !word.reads.empty(), is_stored = !word.writes.empty();
            if (interval.is_cut || (is_read && (is_stored || held == held_.end()))) return false;
            if (is_stored && (word.writes.size() > 1 || word.writes.front().count > 1)) return false;
            if (is_stored) stores[word.writes.front().access].insert({word.writes.front().first, word.word});
            for (const Recording::Threads& readers : word.reads) {
                for (std::uint32_t nth = 0; nth < readers.count; ++nth) {
                    const auto reader = threads_.find(readers.first + nth * readers.step);
                    if (reader == threads_.end()) continue;
                    ++reader->second.words[readers.access];
                    if (held->second) reader->second.reads.try_emplace(*held->second, TileRead{number, readers.access});
                }
            }
        }
        const Loaded all = loaded(number, number);
        Loaded placed;
        const auto is_filled = [&](const auto& one) { return fill(one.first, one.second, all, &placed); };
        return std::ranges::all_of(stores, is_filled) && placed == all;
    }

    // Whether each warp that loads stores as often.
    [[nodiscard]] bool are_in_step(std::uint32_t store, std::uint32_t load) const {
        std::map<std::uint32_t, std::uint32_t> executions;
        for (const Recording::Request& request : record_.accesses[store].kept) {
            if (request.block == index_) executions[request.warp] = request.of;
        }
        return std::ranges::all_of(record_.accesses[load].kept, [&](const Recording::Request& request) {
            return request.block != index_ || executions[request.warp] == request.of;
        });
    }

    // Adds as many executions of a store as it takes to store all of `left`.
    bool fill(std::uint32_t store, Stores left, const Loaded& all, Loaded* placed) {
        const std::uint32_t load = sources_.at(store);
        if (!are_in_step(store, load)) return false;
        while (!left.empty()) {
            const std::size_t before = left.size();
            const auto to = addresses(store, executed_[store]), from = addresses(load, executed_[store]);
            ++executed_[store];
            if (!to || !from) return false;
            for (std::uint32_t thread = 0; thread < to->size(); ++thread) {
                for (std::uint32_t at = 0; (*to)[thread] && at < record_.accesses[store].bytes; at += word_bytes) {
                    const auto word = static_cast<std::uint32_t>((*(*to)[thread] + at) / word_bytes);
                    if (left.erase({thread, word}) == 0) continue;
                    held_[word].reset();
                    if ((*from)[thread] && !place(store, thread, word, *(*from)[thread] + at, all, placed)) return false;
                }
            }
            if (left.size() == before) return false;
        }
        return true;
    }

    // A word of shared memory gets what lies at an address; if this was not loaded, a guard was false, and the word is a literal.
    bool place(std::uint32_t store, std::uint32_t thread, std::uint32_t word, std::uint64_t address, const Loaded& all, Loaded* placed) {
        const Recording::Object& array = object_of(record_.accesses[sources_.at(store)]);
        const std::uint64_t offset = address - array.begin;
        const auto loaded = all.find(array.name);
        if (loaded == all.end() || !loaded->second.contains(offset / word_bytes)) return true;
        // Of two threads at the same address, one without a record could have a guard that is false.
        if (!(*placed)[array.name].insert(offset / word_bytes).second && threads_.size() != launch_.block.count()) return false;
        held_[word] = element(array.name, offset);
        tiles_[*held_[word]] = *record_.accesses[store].object;
        if (const auto own = threads_.find(thread); own != threads_.end()) own->second.own.insert(*held_[word]);
        return true;
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
                const std::uint64_t offset = request.address + static_cast<std::uint64_t>(*request.lanes[lane]) - object_of(access).begin;
                for (std::uint32_t at = 0; at < access.bytes; at += word_bytes)
                    one.outputs.insert(element(object_of(access).name, offset + at));
            }
        }
    }

    const trace::Launch& launch_;
    const Recording& record_;
    const Bytes& bytes_;
    const Sources& sources_;
    std::uint32_t index_;
    std::map<std::uint32_t, Thread> threads_;
    std::map<std::uint32_t, std::optional<Element>> held_;  // by word of shared memory; nothing: a literal
    std::map<Element, std::uint32_t> tiles_;                // arrays in shared memory, as objects
    std::map<std::uint32_t, std::uint32_t> executed_;       // iterations of stores
    std::set<Element> left_, later_;                        // in shared memory after what is known; loaded then
};

// The only thread with these outputs, or null.
const Thread* only_with(const std::set<Element>& outputs, const Block& block) {
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

std::optional<Difference> difference_in(const Block& wrong, const Block& right, const Recording& record, const Names& names,
                                        std::uint32_t block) {
    // A thread without outputs may hand on what it reads.
    const auto hands_on = [](const auto& one) { return one.second.outputs.empty() && !one.second.reads.empty(); };
    if (std::ranges::any_of(wrong.threads(), hands_on)) return {};
    for (const auto& [number, thread] : wrong.threads()) {
        const Thread* const other = only_with(thread.outputs, right);
        if (other == nullptr || only_with(thread.outputs, wrong) != &thread) continue;
        auto found = difference_of(thread, *other, wrong, right, record, names);
        if (!found) continue;
        found->text = fmt::format("{} of {} {}", names.thread(number), names.block(block), found->text);
        return found;
    }
    return {};
}

}  // namespace

std::optional<Difference> first_consumed_difference(const trace::Launch& wrong, const trace::Launch& right, const RowLengths& rows) {
    const Bytes bytes = element_bytes(right);
    const auto wrong_sources = sources_of(wrong), right_sources = sources_of(right);
    if (!wrong_sources || !right_sources) return {};
    const Names names(wrong, rows);
    for (std::uint32_t index = 0; index < wrong.recording->blocks.size(); ++index) {
        const Block here(wrong, bytes, *wrong_sources, index), there(right, bytes, *right_sources, index);
        if (auto found = difference_in(here, there, *wrong.recording, names, index)) return found;
    }
    return {};
}

}  // namespace lab::diagnosis
