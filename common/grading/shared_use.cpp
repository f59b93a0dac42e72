#include "common/grading/shared_use.h"

#include <algorithm>

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

}  // namespace

std::optional<SharedUse> shared_use(const trace::Launch& launch, const std::string& array) {
    const Recording::Object* const object = launch.object(array, trace::Space::shared);
    if (object == nullptr) return std::nullopt;
    const Recording& recording = *launch.recording;
    SharedUse use;
    use.block_x = launch.block.x;
    use.block_y = launch.block.y;
    use.all_words = static_cast<std::int64_t>(object->bytes) / word_bytes;
    use.element_words = element_words(recording, static_cast<std::size_t>(object - recording.objects.data()));
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

}  // namespace lab::grading
