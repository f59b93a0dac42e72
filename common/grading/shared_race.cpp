#include "common/grading/shared_race.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/findings/finding_text.h"
#include "common/grading/recorded_accesses.h"

namespace lab::grading {
namespace {

// "the 16 threads with threadIdx.x = 0", "all 256 threads of a block", "8 threads".
std::string text_of_threads(const std::vector<std::int64_t>& threads, const SharedUse& use) {
    const std::int64_t x = threads.front() % use.block_x;
    const std::int64_t y = threads.front() / use.block_x;
    const auto count = static_cast<std::int64_t>(threads.size());
    const auto all = [&](const auto& holds) { return std::all_of(threads.begin(), threads.end(), holds); };
    if (count == use.block_x * use.block_y) return fmt::format("all {} threads of a block", count);
    if (count == use.block_y && all([&](std::int64_t one) { return one % use.block_x == x; }))
        return fmt::format("the {} threads with threadIdx.x = {}", count, x);
    if (count == use.block_x && all([&](std::int64_t one) { return one / use.block_x == y; }))
        return fmt::format("the {} threads with threadIdx.y = {}", count, y);
    return fmt::format("{} threads", count);
}

}  // namespace

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
    const std::string question = elements == threads       ? "should each of them store only one?"
                                 : elements % threads == 0 ? fmt::format("should each of them store only {}?", elements / threads)
                                 : elements < threads      ? fmt::format("should only {} of them store, one element each?", elements)
                                                           : "should they divide these among them?";
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
