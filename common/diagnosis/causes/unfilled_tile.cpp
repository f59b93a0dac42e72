
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/diagnosis/causes/list.h"
#include "common/diagnosis/causes/shared_use.h"

namespace lab::diagnosis {
namespace {

// "threads with threadIdx.y = 0", "threads with threadIdx.x = 0 to 15 and threadIdx.y = 0 to 15"; "" if they are no rectangle of the block,
// or all of it.
std::string rectangle_of(const SharedUse& use) {
    const std::int64_t across = use.block_x;
    std::int64_t x_first = across, x_last = 0;
    for (const std::int64_t thread : use.threads) {
        x_first = std::min(x_first, thread % across);
        x_last = std::max(x_last, thread % across);
    }
    const std::int64_t y_first = *use.threads.begin() / across;
    const std::int64_t y_last = *use.threads.rbegin() / across;
    const auto count = static_cast<std::int64_t>(use.threads.size());
    if (count != (x_last - x_first + 1) * (y_last - y_first + 1) || count == across * use.block_y) return "";
    const auto range = [](char axis, std::int64_t first, std::int64_t last, std::int64_t side) {
        return last - first + 1 == side ? ""
               : first == last          ? fmt::format("threadIdx.{} = {}", axis, first)
                                        : fmt::format("threadIdx.{} = {} to {}", axis, first, last);
    };
    const std::string x = range('x', x_first, x_last, across);
    const std::string y = range('y', y_first, y_last, use.block_y);
    return "threads with " + x + (x.empty() || y.empty() ? "" : " and ") + y;
}

// Elements in rows as long as each other, from the array's start.
struct Rows {
    std::int64_t pitch = 0, width = 0, count = 0;
};

// The rows of these words: those of one row if they have no gaps. Nothing if they are no such rows.
std::optional<Rows> rows_of(const SharedUse::Words& words, std::int64_t element_words) {
    std::vector<std::int64_t> elements;
    for (const std::int64_t word : words) {
        if (word % element_words == 0) elements.push_back(word / element_words);
    }
    const auto size = static_cast<std::int64_t>(elements.size());
    Rows rows{size, 0, 1};
    while (rows.width < size && elements[static_cast<std::size_t>(rows.width)] == rows.width) ++rows.width;
    if (rows.width == size) return rows.width == 0 ? std::nullopt : std::optional(rows);
    if (rows.width == 0 || size % rows.width != 0) return std::nullopt;
    rows.pitch = elements[static_cast<std::size_t>(rows.width)];
    rows.count = size / rows.width;
    for (std::int64_t at = 0; at < size; ++at) {
        if (elements[static_cast<std::size_t>(at)] != at / rows.width * rows.pitch + at % rows.width) return std::nullopt;
    }
    return rows;
}

}  // namespace

std::string other_pitch(const SharedUse& use) {
    SharedUse::Words words;
    for (const auto& each : use.words) words.insert(each.begin(), each.end());
    auto stored = rows_of(words, use.element_words);
    auto loaded = rows_of(use.loaded, use.element_words);
    if (!stored || !loaded || stored->count * stored->width != loaded->count * loaded->width) return "";
    // Without gaps the pitch is the length of a row, which the rows with gaps show.
    const auto take_width = [](const Rows& from, Rows* rows) {
        if (rows->count == 1) *rows = {from.width, from.width, from.count};
    };
    take_width(*stored, &*loaded);
    take_width(*loaded, &*stored);
    if (stored->width != loaded->width || stored->pitch == loaded->pitch) return "";
    return fmt::format(
        "its rows of {} begin {} elements apart where they are stored, {} where they are loaded: do both use the same pitch?",
        stored->width, stored->pitch, loaded->pitch);
}

std::string other_part(const SharedUse& use) {
    const SharedUse::Words &stored = use.stored_then, &loaded = use.loaded_then;
    const auto has_gaps = [](const SharedUse::Words& words) {
        return words.empty() || *words.rbegin() - *words.begin() + 1 != static_cast<std::int64_t>(words.size());
    };
    const bool is_apart = !has_gaps(stored) && !has_gaps(loaded) && stored.size() == loaded.size() &&
                          (*stored.rbegin() < *loaded.begin() || *loaded.rbegin() < *stored.begin());
    const auto elements = [&](const SharedUse::Words& words) {
        return fmt::format("{} to {}", *words.begin() / use.element_words, *words.rbegin() / use.element_words);
    };
    return is_apart ? fmt::format("first its elements {} are stored, but {} loaded: do both use the same buffer, or part of it?",
                                  elements(stored), elements(loaded))
                    : "";
}

std::string who_fills(const SharedUse& use, bool crosses_edge) {
    const std::int64_t all = use.all_words / use.element_words;
    if (use.threads.empty()) return "no thread stores to it";
    std::set<std::int64_t> filled;
    for (const auto& words : use.words) filled.insert(words.begin(), words.end());
    const auto count = static_cast<std::int64_t>(filled.size()) / use.element_words;
    if (const std::string threads = rectangle_of(use); !threads.empty() && count < all) {
        return fmt::format(
            "only {} store to it, {} of its {} elements: {}", threads, count, all,
            crosses_edge && use.threads.count(0) != 0 ? "is a guard too narrow, or 0 not stored past the edge?" : "is a guard too narrow?");
    }
    if (count < all) {
        return fmt::format("the {} x {} threads of a block store to {} of its {} elements: {}", use.block_x, use.block_y, count, all,
                           static_cast<std::int64_t>(use.threads.size()) > count ? "does an index lack a part?"
                                                                                 : "which threads should store the others?");
    }
    const auto fills_all = [&](const auto& words) { return static_cast<std::int64_t>(words.size()) == use.all_words; };
    const auto& begun = use.words_begun;
    if (crosses_edge && !begun.empty() && fills_all(begun.front()) && !std::all_of(begun.begin(), begun.end(), fills_all)) {
        return fmt::format("inner blocks fill all of its {} elements, those at the edge do not: is 0 stored past the edge?", all);
    }
    return "";
}

namespace {

// The array in shared memory that was read before it was written; null for other findings.
const std::string* unfilled_array(const FailedLaunch& seen) {
    const Finding& read = seen.finding;
    const bool is_one = read.kind == FindingKind::uninitialised_read && read.space == MemorySpace::shared && !read.locations.empty() &&
                        read.value(Quantity::access_bytes).value_or(0) >= std::uint64_t{trace::word_bytes};
    return is_one ? &read.locations.front().object.name : nullptr;
}

// The clause that `find(use)` has of the array, behind the finding's own line.
template <typename Find>
Cause of_use(const FailedLaunch& seen, const Find& find) {
    const std::string* const array = unfilled_array(seen);
    const SharedUse* const use = array == nullptr ? nullptr : use_of(seen, *array);
    const std::string text = use == nullptr ? "" : find(*use);
    return {text.empty() ? "" : seen.first_line + "; " + text};
}

}  // namespace

Cause read_before_stored(const FailedLaunch& seen) {
    const std::string* const array = unfilled_array(seen);
    if (array == nullptr || !is_read_before_stored(recorded(seen), *array)) return {};
    return {seen.first_line +
            "; threads read elements of it that their block stores only later, after a barrier: is it read before all of it is stored?"};
}

Cause other_pitch(const FailedLaunch& seen) {
    return of_use(seen, [](const SharedUse& use) { return other_pitch(use); });
}

Cause other_part(const FailedLaunch& seen) {
    return of_use(seen, [](const SharedUse& use) { return other_part(use); });
}

Cause filled_in_part(const FailedLaunch& seen) {
    return of_use(seen, [&](const SharedUse& use) {
        const auto is_cut = [](std::size_t lines, std::int64_t side) { return static_cast<std::int64_t>(lines) % side != 0; };
        const bool crosses_edge = is_cut(seen.shape.cols, use.block_x) || (seen.shape.rows > 1 && is_cut(seen.shape.rows, use.block_y));
        return who_fills(use, crosses_edge);
    });
}

}  // namespace lab::diagnosis
