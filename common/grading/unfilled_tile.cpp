#include "common/grading/unfilled_tile.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/grading/early_read.h"

namespace lab::grading {
namespace {

// "threads with threadIdx.y = 0", "threads with threadIdx.x = 0 to 15 and threadIdx.y = 0 to 15"; "" if they are no rectangle of the block,
// or all of it.
std::string rectangle_of(const Filling& filling) {
    const std::int64_t across = filling.block_x;
    std::int64_t x_first = across, x_last = 0;
    for (const std::int64_t thread : filling.threads) {
        x_first = std::min(x_first, thread % across);
        x_last = std::max(x_last, thread % across);
    }
    const std::int64_t y_first = *filling.threads.begin() / across;
    const std::int64_t y_last = *filling.threads.rbegin() / across;
    const auto count = static_cast<std::int64_t>(filling.threads.size());
    if (count != (x_last - x_first + 1) * (y_last - y_first + 1) || count == across * filling.block_y) return "";
    const auto range = [](char axis, std::int64_t first, std::int64_t last, std::int64_t side) {
        return last - first + 1 == side ? ""
               : first == last          ? fmt::format("threadIdx.{} = {}", axis, first)
                                        : fmt::format("threadIdx.{} = {} to {}", axis, first, last);
    };
    const std::string x = range('x', x_first, x_last, across);
    const std::string y = range('y', y_first, y_last, filling.block_y);
    return "threads with " + x + (x.empty() || y.empty() ? "" : " and ") + y;
}

}  // namespace

std::string who_fills(const Filling& filling, std::int64_t element_words) {
    const std::int64_t all = filling.all_words / element_words;
    if (filling.threads.empty()) return "no thread stores to it";
    std::set<std::int64_t> filled;
    for (const auto& words : filling.words) filled.insert(words.begin(), words.end());
    const auto count = static_cast<std::int64_t>(filled.size()) / element_words;
    if (const std::string threads = rectangle_of(filling); !threads.empty() && count < all) {
        return fmt::format("only {} store to it, {} of its {} elements: is a guard too narrow?", threads, count, all);
    }
    if (count < all) {
        return fmt::format("the {} x {} threads of a block store to {} of its {} elements: {}", filling.block_x, filling.block_y, count,
                           all,
                           static_cast<std::int64_t>(filling.threads.size()) > count ? "does an index lack a part?"
                                                                                     : "which threads should store the others?");
    }
    const auto fills_all = [&](const auto& words) { return static_cast<std::int64_t>(words.size()) == filling.all_words; };
    if (!filling.words.empty() && fills_all(filling.words.front()) && !std::all_of(filling.words.begin(), filling.words.end(), fills_all)) {
        return fmt::format("inner blocks fill all of its {} elements, those at the edge do not: is 0 stored past the edge?", all);
    }
    return "";
}

Message explained_by_filling(Message found, const Call& call) {
    if (found.kind != Topic::uninitialised_read || found.findings.empty()) return found;
    const Finding& finding = found.findings.front();
    const std::uint64_t bytes = finding.value(Quantity::access_bytes).value_or(0);
    if (finding.space != MemorySpace::shared || finding.locations.empty() || bytes < std::uint64_t{word_bytes}) return found;
    const std::string& array = finding.locations.front().object.name;
    const RecordedAccesses accesses(call);
    if (is_read_before_stored(accesses.launch(), array)) {
        found.what +=
            "; threads read elements of it that their block stores only later, after a barrier: is it read before all of it is stored?";
        return found;
    }
    const auto filling = accesses.filling(array);
    const std::string who = filling ? who_fills(*filling, static_cast<std::int64_t>(bytes / word_bytes)) : "";
    if (!who.empty()) found.what += "; " + who;
    return found;
}

}  // namespace lab::grading
