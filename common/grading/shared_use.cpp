#include "common/grading/shared_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "common/findings/finding_text.h"
#include "common/grading/recorded_accesses.h"

namespace lab::grading {
namespace {

using trace::Recording;

// Calls `visit(thread)` for each thread of a word's list.
template <typename Visit>
void for_each_thread(const std::vector<Recording::Threads>& list, const Visit& visit) {
    for (const Recording::Threads& threads : list) {
        for (std::uint32_t nth = 0; nth < threads.count; ++nth) visit(threads.first + nth * threads.step);
    }
}

// A block's interval, by their numbers.
struct Then {
    std::size_t block = 0, interval = 0;
};

// Last interval that was recorded of every block.
std::size_t last_of_all(const Recording& recording) {
    std::map<std::size_t, std::size_t> last;
    for (const Recording::Interval& interval : recording.intervals) {
        std::size_t& known = last[interval.block];
        known = std::max<std::size_t>(known, interval.interval);
    }
    std::size_t least = last.empty() ? 0 : last.begin()->second;
    for (const auto& [block, interval] : last) least = std::min(least, interval);
    return least;
}

// Adds the accesses of one interval; `begin`: the array's first word in shared memory; `first`: the first interval with stores, once known.
void add_interval(const Recording::Interval& interval, std::int64_t begin, std::size_t last, std::optional<Then>* first, SharedUse* use) {
    const Then now{interval.block, interval.interval};
    const bool is_first = use->stored_at_once.empty();
    const bool is_next = !is_first && now.block == (*first)->block && now.interval == (*first)->interval + 1;
    for (const Recording::Word& word : interval.words) {
        const std::int64_t at = word.word - begin;
        if (at < 0 || at >= use->all_words) continue;
        if (!word.reads.empty()) {
            use->loaded.insert(at);
            if (is_first || is_next) use->loaded_then.insert(at);
        }
        if (word.writes.empty()) continue;
        use->words.at(now.block).insert(at);
        if (now.interval <= last) use->words_begun.at(now.block).insert(at);
        for_each_thread(word.writes, [&](std::int64_t thread) {
            use->threads.insert(thread);
            if (is_first) use->stored_at_once[thread].insert(at);
        });
    }
    if (!is_first) return;
    *first = now;
    if (use->stored_at_once.empty()) use->loaded_then.clear();
}

// Words of an element, by the narrowest access to an object.
std::int64_t element_words(const Recording& recording, std::size_t object) {
    std::int64_t least = 0;
    for (const Recording::Access& access : recording.accesses) {
        if (access.object != object) continue;
        const auto words = std::max<std::int64_t>(1, access.bytes / word_bytes);
        least = least == 0 ? words : std::min(least, words);
    }
    return std::max<std::int64_t>(1, least);
}

// "the 16 threads with threadIdx.x = 0", "8 threads".
std::string text_of_threads(const std::vector<std::int64_t>& threads, const SharedUse& use) {
    const std::int64_t x = threads.front() % use.block_x;
    const std::int64_t y = threads.front() / use.block_x;
    const auto count = static_cast<std::int64_t>(threads.size());
    const auto all = [&](const auto& holds) { return std::all_of(threads.begin(), threads.end(), holds); };
    if (count == use.block_y && all([&](std::int64_t one) { return one % use.block_x == x; }))
        return fmt::format("the {} threads with threadIdx.x = {}", count, x);
    if (count == use.block_x && all([&](std::int64_t one) { return one / use.block_x == y; }))
        return fmt::format("the {} threads with threadIdx.y = {}", count, y);
    return fmt::format("{} threads", count);
}

}  // namespace

std::optional<SharedUse> shared_use(const trace::Launch& launch, const std::string& array) {
    const Recording::Object* const object = launch.object(array, trace::Space::shared);
    if (object == nullptr) return std::nullopt;
    const Recording& recording = *launch.recording;
    SharedUse use{.block_x = launch.block.x,
                  .block_y = launch.block.y,
                  .all_words = static_cast<std::int64_t>(object->bytes) / word_bytes,
                  .element_words = element_words(recording, static_cast<std::size_t>(object - recording.objects.data()))};
    use.words.resize(recording.blocks.size());
    use.words_begun.resize(use.words.size());
    const auto begin = static_cast<std::int64_t>(object->begin) / word_bytes;
    const std::size_t last = last_of_all(recording);
    std::optional<Then> first;
    for (const Recording::Interval& interval : recording.intervals) {
        if (interval.is_cut) return std::nullopt;
        add_interval(interval, begin, last, &first, &use);
    }
    for (const trace::ByteRun& run : object->used) use.used.emplace_back(run.begin / word_bytes, run.end / word_bytes);
    return use;
}

bool is_read_before_stored(const trace::Launch& launch, const std::string& array) {
    const trace::Recording::Object* const object = launch.object(array, trace::Space::shared);
    if (object == nullptr) return false;
    const std::uint64_t first = object->begin / word_bytes;
    const std::uint64_t words = object->bytes / word_bytes;
    std::set<std::pair<std::uint32_t, std::uint32_t>> early;  // block, word
    for (const trace::Recording::Interval& interval : launch.recording->intervals) {
        for (const trace::Recording::Word& word : interval.words) {
            if (word.word < first || word.word >= first + words) continue;
            const bool is_stored = !word.writes.empty();
            if (is_stored && early.count({interval.block, word.word}) != 0) return true;
            if (!is_stored && !word.before) early.insert({interval.block, word.word});
        }
    }
    return false;
}

std::string repeated_stores(const SharedUse& use, const std::string& array, std::int64_t word) {
    std::vector<std::int64_t> repeating;
    SharedUse::Words stored;
    for (const auto& [thread, words] : use.stored_at_once) {
        stored.insert(words.begin(), words.end());
        if (words.count(word) != 0) repeating.push_back(thread);
    }
    // Where an index lacks a part, elements that are loaded stay without a store.
    if (repeating.size() < 2 || !std::includes(stored.begin(), stored.end(), use.loaded.begin(), use.loaded.end())) return "";
    const SharedUse::Words& same = use.stored_at_once.at(repeating.front());
    const auto is_same = [&](std::int64_t thread) { return use.stored_at_once.at(thread) == same; };
    const auto elements = static_cast<std::int64_t>(same.size()) / use.element_words;
    if (elements < 2 || !std::all_of(repeating.begin(), repeating.end(), is_same)) return "";
    const auto threads = static_cast<std::int64_t>(repeating.size());
    const char* const question = elements == threads ? "should each of them store only one?" : "should they divide these among them?";
    return fmt::format("{} each store the same {} elements of {}: {}", text_of_threads(repeating, use), elements, array, question);
}

std::string unused_buffer(const SharedUse& use, const std::string& array) {
    constexpr std::int64_t max_buffers = 4;
    if (use.used.size() != 1) return "";
    const auto [first, end] = use.used.front();
    const std::int64_t words = end - first;
    if (words <= use.element_words || use.all_words % words != 0 || first % words != 0) return "";
    const std::int64_t buffers = use.all_words / words;
    if (buffers < 2 || buffers > max_buffers) return "";
    return fmt::format("only elements {} to {} of the {} of {} are used, one part of {}: does the index of a buffer never change?",
                       first / use.element_words, end / use.element_words - 1, use.all_words / use.element_words, array, buffers);
}

Message explained_by_shared_use(Message found, const Call& call, std::size_t threads) {
    if (found.kind != Topic::race || found.findings.empty()) return found;
    const Finding& race = found.findings.front();
    if (race.space != MemorySpace::shared || race.places.size() != 2 || race.line() == 0 || race.locations.empty()) return found;
    const Object& object = race.locations.front().object;
    const std::string& array = object.name;
    const bool is_repeated = is_written_twice(race) && race.places[0].block == race.places[1].block;
    if (!is_repeated && object.size < 2 * threads * word_bytes) return found;
    const auto use = shared_use(RecordedAccesses(call).launch(), array);
    if (!use) return found;
    if (is_repeated) {
        const std::string text = repeated_stores(*use, array, race.locations.front().offset / word_bytes);
        if (!text.empty()) found.what = fmt::format("{} at line {}: {}", race.headline, race.line(), text);
        return found;
    }
    const std::string headline = headline_of(race);
    const std::string text = unused_buffer(*use, array);
    const std::string barrier = ": is a __syncthreads()";
    if (const std::size_t at = found.what.find(barrier); !text.empty() && at != std::string::npos) {
        found.what = fmt::format("{}: {} Or is a __syncthreads(){}", headline, text, found.what.substr(at + barrier.size()));
    }
    return found;
}

}  // namespace lab::grading
