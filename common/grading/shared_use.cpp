#include "common/grading/shared_use.h"

#include <algorithm>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {
namespace {

using Json = nlohmann::json;

// Calls `visit(thread)` for each thread of a word's list.
template <typename Visit>
void for_each_thread(const Json& list, const Visit& visit) {
    for (const Json& threads : list) {
        for (std::int64_t nth = 0; nth < threads.at(3).get<std::int64_t>(); ++nth) {
            visit(threads.at(1).get<std::int64_t>() + nth * threads.at(2).get<std::int64_t>());
        }
    }
}

// A block's interval, by their numbers.
struct Then {
    std::size_t block = 0, interval = 0;
};

// Last interval that was recorded of every block.
std::size_t last_of_all(const Json& recording) {
    std::map<std::size_t, std::size_t> last;
    for (const Json& interval : recording.at("intervals")) {
        std::size_t& known = last[interval.at("block").get<std::size_t>()];
        known = std::max(known, interval.at("interval").get<std::size_t>());
    }
    std::size_t least = last.empty() ? 0 : last.begin()->second;
    for (const auto& [block, interval] : last) least = std::min(least, interval);
    return least;
}

// Adds the accesses of one interval; `begin`: the array's first word in shared memory; `first`: the first interval with stores, once known.
void add_interval(const Json& interval, std::int64_t begin, std::size_t last, std::optional<Then>* first, SharedUse* use) {
    const Then now{interval.at("block").get<std::size_t>(), interval.at("interval").get<std::size_t>()};
    const bool is_first = use->stored_at_once.empty();
    const bool is_next = !is_first && now.block == (*first)->block && now.interval == (*first)->interval + 1;
    for (const Json& word : interval.at("words")) {
        const std::int64_t at = word.at(0).get<std::int64_t>() - begin;
        if (at < 0 || at >= use->all_words) continue;
        if (!word.at(2).empty()) {
            use->loaded.insert(at);
            if (is_first || is_next) use->loaded_then.insert(at);
        }
        if (word.at(1).empty()) continue;
        use->words.at(now.block).insert(at);
        if (now.interval <= last) use->words_begun.at(now.block).insert(at);
        for_each_thread(word.at(1), [&](std::int64_t thread) {
            use->threads.insert(thread);
            if (is_first) use->stored_at_once[thread].insert(at);
        });
    }
    if (!is_first) return;
    *first = now;
    if (use->stored_at_once.empty()) use->loaded_then.clear();
}

// Words of an element, by the narrowest access to an object.
std::int64_t element_words(const Json& recording, std::size_t object) {
    std::int64_t least = 0;
    for (const Json& access : recording.at("accesses")) {
        if (access.at("object").is_null() || access.at("object") != object) continue;
        const auto words = std::max<std::int64_t>(1, access.at("bytes").get<std::int64_t>() / word_bytes);
        least = least == 0 ? words : std::min(least, words);
    }
    return std::max<std::int64_t>(1, least);
}

}  // namespace

std::optional<SharedUse> shared_use(const Json& launch, const std::string& array) {
    if (!launch.contains("recording")) return std::nullopt;
    const Json& recording = launch.at("recording");
    const Json* const object = recorded_object(recording, array, "shared");
    if (object == nullptr) return std::nullopt;
    SharedUse use;
    use.block_x = launch.at("block").at(0).get<std::int64_t>();
    use.block_y = launch.at("block").at(1).get<std::int64_t>();
    use.all_words = object->at("bytes").get<std::int64_t>() / word_bytes;
    use.element_words = element_words(recording, static_cast<std::size_t>(object - &recording.at("objects").front()));
    use.words.resize(recording.at("blocks").size());
    use.words_begun.resize(use.words.size());
    const auto begin = object->at("begin").get<std::int64_t>() / word_bytes;
    const std::size_t last = last_of_all(recording);
    std::optional<Then> first;
    for (const Json& interval : recording.at("intervals")) {
        if (interval.at("cut").get<bool>()) return std::nullopt;
        add_interval(interval, begin, last, &first, &use);
    }
    for (const Json& run : object->at("used")) {
        const auto first = run.at(0).get<std::int64_t>();
        use.used.emplace_back(first / word_bytes, (first + run.at(1).get<std::int64_t>()) / word_bytes);
    }
    return use;
}

}  // namespace lab::grading
