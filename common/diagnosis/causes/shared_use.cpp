#include "common/diagnosis/causes/shared_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "common/diagnosis/causes/list.h"
#include "common/findings/finding_text.h"

namespace lab::diagnosis {
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
    const bool is_first = use->stored_then.empty();
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
        for_each_thread(word.writes, [&](std::int64_t thread) { use->threads.insert(thread); });
        if (is_first) use->stored_then.insert(at);
    }
    if (!is_first) return;
    *first = now;
    if (use->stored_then.empty()) use->loaded_then.clear();
}

// Words of an element, by the narrowest access to an object.
std::int64_t element_words(const Recording& recording, std::size_t object) {
    std::int64_t least = 0;
    for (const Recording::Access& access : recording.accesses) {
        if (access.object != object) continue;
        const auto words = std::max<std::int64_t>(1, access.bytes / trace::word_bytes);
        least = least == 0 ? words : std::min(least, words);
    }
    return std::max<std::int64_t>(1, least);
}

}  // namespace

std::optional<SharedUse> shared_use(const trace::Launch& launch, const std::string& array) {
    const Recording::Object* const object = launch.object(array, trace::Space::shared);
    if (object == nullptr) return std::nullopt;
    const Recording& recording = *launch.recording;
    SharedUse use{.block_x = launch.block.x,
                  .block_y = launch.block.y,
                  .all_words = static_cast<std::int64_t>(object->bytes) / trace::word_bytes,
                  .element_words = element_words(recording, static_cast<std::size_t>(object - recording.objects.data()))};
    use.words.resize(recording.blocks.size());
    use.words_begun.resize(use.words.size());
    const auto begin = static_cast<std::int64_t>(object->begin) / trace::word_bytes;
    const std::size_t last = last_of_all(recording);
    std::optional<Then> first;
    for (const Recording::Interval& interval : recording.intervals) {
        if (interval.is_cut) return std::nullopt;
        add_interval(interval, begin, last, &first, &use);
    }
    for (const trace::ByteRun& run : object->used) use.used.emplace_back(run.begin / trace::word_bytes, run.end / trace::word_bytes);
    return use;
}

bool is_read_before_stored(const trace::Launch& launch, const std::string& array) {
    const trace::Recording::Object* const object = launch.object(array, trace::Space::shared);
    if (object == nullptr) return false;
    const std::uint64_t first = object->begin / trace::word_bytes;
    const std::uint64_t words = object->bytes / trace::word_bytes;
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

namespace {

constexpr std::size_t large = 20'000;  // elements of an output; its call takes long, and smaller ones show the same race

// The array in shared memory for which two lines race; null for other races.
const Object* raced_array(const FailedLaunch& seen) {
    const Finding& race = seen.finding;
    const bool is_race = race.kind == FindingKind::race && race.space == MemorySpace::shared && race.places.size() == 2 &&
                         race.line() != 0 && !race.locations.empty() && seen.shape.rows * seen.shape.cols <= large;
    return is_race ? &race.locations.front().object : nullptr;
}

bool is_in_one_block(const Finding& race) { return is_written_twice(race) && race.places[0].block == race.places[1].block; }

}  // namespace

const trace::Launch& recorded(const FailedLaunch& seen) {
    return *seen.recorded([&] { return std::make_shared<const trace::Launch>(seen.record()); });
}

const SharedUse* use_of(const FailedLaunch& seen, const std::string& array) {
    return seen.shared_use([&]() -> std::shared_ptr<const SharedUse> {
        const auto use = shared_use(recorded(seen), array);
        return use ? std::make_shared<const SharedUse>(*use) : nullptr;
    });
}

Cause buffer_unused(const FailedLaunch& seen) {
    const Object* const array = raced_array(seen);
    const std::string barrier = ": is a __syncthreads()";
    const std::size_t at = seen.first_line.find(barrier);
    const std::size_t threads = seen.launched.block_x * seen.launched.block_y;
    const bool may_be =
        array != nullptr && !is_in_one_block(seen.finding) && array->size >= 2 * threads * trace::word_bytes && at != std::string::npos;
    const SharedUse* const use = may_be ? use_of(seen, array->name) : nullptr;
    const std::string text = use == nullptr ? "" : unused_buffer(*use, array->name);
    if (text.empty()) return {};
    return {fmt::format("{}: {} Or is a __syncthreads(){}", headline_of(seen.finding), text, seen.first_line.substr(at + barrier.size()))};
}

}  // namespace lab::diagnosis
