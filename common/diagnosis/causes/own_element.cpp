#include "common/diagnosis/causes/own_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lab::diagnosis {
namespace {

// A matrix, and whether the grid covers it with x along its columns.
struct TransposeMatrix {
    std::size_t rows, cols;
    bool is_covered;
};

// Elements of a matrix that a thread takes in the tile (x, y) of the grid.
std::vector<OwnElement> elements_in_tile(const Layout& layout, const Launched& launched, const TransposeMatrix& matrix, const Index& tile,
                                         const Index& thread) {
    const Shape& out = layout.out;
    const std::size_t side = launched.block_x;
    const std::size_t along_x = side * (out.unrolls_y ? 1 : out.unroll);
    const std::size_t along_y = layout.is_tiled ? side * (out.unrolls_y ? out.unroll : 1) : launched.block_y;
    const std::size_t x = tile.x * along_x;
    const std::size_t y = tile.y * along_y;
    const OwnElement first = matrix.is_covered ? OwnElement{y, x, 0} : OwnElement{x, y, 0};
    std::vector<OwnElement> all;
    if (!layout.is_tiled) {
        for (std::size_t nth = 0; nth < out.unroll; ++nth) {
            const std::size_t own_x = thread.x + nth * side;
            all.push_back(matrix.is_covered ? OwnElement{first.row + thread.y, first.col + own_x, nth}
                                            : OwnElement{first.row + own_x, first.col + thread.y, nth});
        }
        return all;
    }
    const std::size_t high = matrix.is_covered ? along_y : along_x;
    const std::size_t wide = matrix.is_covered ? along_x : along_y;
    for (std::size_t row = thread.y; row < high; row += launched.block_y) {
        for (std::size_t col = thread.x; col < wide; col += side) {
            all.push_back({first.row + row, first.col + col, wide > high ? col / side : row / side});
        }
    }
    return all;
}

std::vector<OwnElement> elements_of_thread(const Layout& layout, const Launched& launched, const TransposeMatrix& matrix,
                                           const Finding::Thread& who) {
    if (!layout.out.maps_tiles) {
        return elements_in_tile(layout, launched, matrix, who.block, who.thread);
    }
    std::vector<OwnElement> all;
    for (std::uint32_t y = 0; y < launched.grid_y; ++y) {
        for (std::uint32_t x = 0; x < launched.grid_x; ++x) {
            const auto in_tile = elements_in_tile(layout, launched, matrix, {x, y, 0}, who.thread);
            all.insert(all.end(), in_tile.begin(), in_tile.end());
        }
    }
    return all;
}

std::string question_about_guard(const Layout& layout, const OwnElement& element, const std::string& array, const char* verb) {
    if (layout.is_tiled) {
        return fmt::format("does the guard test row and column of {}, where it {}, and not of {}?", array, verb,
                           array == "in" ? "out" : "in");
    }
    return element.nth > 0 ? fmt::format("does each of a thread's {} elements have a guard of its own?", layout.out.unroll)
                           : "does the guard test that?";
}

// Lengths of a row that an index may have in place of the right one.
std::vector<std::pair<std::size_t, std::string>> other_lengths(const Launched& launched, const TransposeMatrix& matrix) {
    std::vector<std::pair<std::size_t, std::string>> lengths;
    const auto add = [&](std::size_t length, const std::string& name) {
        const bool is_known = std::any_of(lengths.begin(), lengths.end(), [&](const auto& one) { return one.first == length; });
        if (length > 1 && length != matrix.cols && !is_known) lengths.emplace_back(length, name);
    };
    add(matrix.rows, "its rows");
    add(launched.grid_x * launched.block_x, "gridDim.x * blockDim.x");
    add(launched.grid_y * launched.block_x, "gridDim.y * blockDim.x");
    add(launched.grid_y * launched.block_y, "gridDim.y * blockDim.y");
    return lengths;
}

// The one other length of a row with which an element of the thread would lie at index `at`; "" if there is none or several.
std::string at_other_length(const std::vector<OwnElement>& own, std::size_t at, const Launched& launched, const TransposeMatrix& matrix,
                            const std::string& array) {
    std::string text;
    for (const auto& [length, name] : other_lengths(launched, matrix)) {
        for (const OwnElement& one : own) {
            if (one.row == 0 || one.row * length + one.col != at) continue;
            if (!text.empty()) return "";
            text = fmt::format(
                "; that is row {} and column {} if a row has {} elements, {}, but one of {} has {}: what is the row multiplied by?",
                one.row, one.col, length, name, array, matrix.cols);
        }
    }
    return text;
}

}  // namespace

std::string place_of_thread(const Finding& finding, const Launched& launched, const Layout& layout) {
    const bool is_known = finding.kind == FindingKind::out_of_bounds && finding.space == MemorySpace::global && !finding.places.empty() &&
                          finding.places[0].thread && finding.places[0].block && !finding.locations.empty() && launched.block_x > 0;
    const std::uint64_t bytes = finding.value(Quantity::access_bytes).value_or(0);
    if (!is_known || bytes == 0 || finding.locations[0].relation != Relation::past_end) {
        return "";
    }
    const Location& location = finding.locations[0];
    const std::string& array = location.object.name;
    const bool is_in = array == "in";
    if (!is_in && array != layout.out.name) {
        return "";
    }
    const TransposeMatrix matrix{is_in ? layout.out.cols : layout.out.rows, is_in ? layout.out.rows : layout.out.cols,
                                 is_in == layout.covers_in};
    const std::size_t at = (location.object.size + location.distance) / bytes;
    const char* const verb = finding.places[0].role == PlaceRole::write ? "stores" : "loads";
    const std::vector<OwnElement> all = elements_of_thread(layout, launched, matrix, finding.who());
    const auto fits = [&](const OwnElement& one) { return one.row * matrix.cols + one.col == at; };
    if (std::ranges::count_if(all, fits) == 1) {
        const OwnElement& one = *std::ranges::find_if(all, fits);
        const bool is_row = one.row >= matrix.rows;
        const std::size_t lines = is_row ? matrix.rows : matrix.cols;
        return fmt::format("; that is {0} {1} of {2}, which has {3} {0}{4}: {5}", is_row ? "row" : "column", is_row ? one.row : one.col,
                           array, lines, lines == 1 ? "" : "s", question_about_guard(layout, one, array, verb));
    }
    if (std::string text = layout.out.maps_tiles ? "" : at_other_length(all, at, launched, matrix, array); !text.empty()) {
        return text;
    }
    if (layout.is_tiled || layout.out.maps_tiles || layout.out.unroll > 1) {
        return "";
    }
    const OwnElement& own = all.front();
    return own.row < matrix.rows && own.col < matrix.cols
               ? fmt::format("; its thread {} {}[{}] in a right kernel, row {} and column {}: what is multiplied in the index?", verb,
                             array, own.row * matrix.cols + own.col, own.row, own.col)
               : "";
}

namespace {

using trace::Recording;

constexpr std::size_t max_kept = 8;  // accesses of a warp at one place that a recording keeps

// A walk along the rows of a tile, in elements: `pitch` from a row to the next, `steps` from a thread's first element to its others.
struct Walk {
    std::string array;
    std::int64_t pitch = 0;
    std::vector<std::int64_t> steps;
    bool is_store = false;
    bool is_known_whole = false;  // the last thread took part, too, and no access of the first one was dropped
};

struct Block {
    std::int64_t x = 0, y = 0;
};

// Elements that each thread of the grid's first block accessed, in their order. Whether another block has run before a fault depends on the
// number of workers.
std::map<std::int64_t, std::vector<std::int64_t>> elements_of_threads(const Recording::Access& access) {
    std::map<std::int64_t, std::vector<std::int64_t>> elements;
    for (const Recording::Request& request : access.kept) {
        if (request.block != 0) continue;
        for (std::size_t lane = 0; lane < request.lanes.size(); ++lane) {
            const auto& offset = request.lanes[lane];
            if (offset)
                elements[trace::thread_of(request, lane)].push_back((static_cast<std::int64_t>(request.address) + *offset) /
                                                                    trace::word_bytes);
        }
    }
    return elements;
}

// The walk of an access whose neighbouring threads along x take neighbouring elements of a row; nothing for others.
std::optional<Walk> walk_of(const Recording::Access& access, const Block& block) {
    if (access.space != trace::Space::shared || access.bytes != trace::word_bytes) return std::nullopt;
    const auto elements = elements_of_threads(access);
    const auto origin = elements.find(0);
    const auto right = elements.find(1);
    const auto below = elements.find(block.x);
    if (block.x < 2 || block.y < 2 || origin == elements.end() || right == elements.end() || below == elements.end()) return std::nullopt;
    Walk walk;
    walk.pitch = below->second.front() - origin->second.front();
    if (right->second.front() - origin->second.front() != 1 || walk.pitch < block.x) return std::nullopt;
    for (const auto& [thread, all] : elements) {
        const std::int64_t first = origin->second.front() + thread / block.x * walk.pitch + thread % block.x;
        if (all.front() != first) return std::nullopt;
    }
    walk.is_store = access.kind == trace::AccessKind::store;
    walk.is_known_whole = elements.count(block.x * block.y - 1) != 0 && origin->second.size() < max_kept;
    for (const std::int64_t element : origin->second) {
        if (element != origin->second.front()) walk.steps.push_back(element - origin->second.front());
    }
    return walk;
}

// Rows of a square tile that no thread stores, though the block's tile has them.
std::string rows_left_out(const Walk& walk, const Block& block, const Tiling& tiling) {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    for (const std::int64_t step : walk.steps) {
        lowest = std::min(lowest, step / walk.pitch);
        highest = std::max(highest, step / walk.pitch);
    }
    const std::int64_t rows = highest + block.y;
    if (!walk.is_store || !walk.is_known_whole || !tiling.is_whole || lowest < 0 || rows >= block.x) return "";
    return fmt::format("threads store rows 0 to {} of {} only, rows {} to {} are never written: {}", rows - 1, walk.array, rows,
                       block.x - 1,
                       walk.steps.empty() ? fmt::format("does the loop down the tile go on in steps of {}?", block.y)
                                          : "does the loop down the tile end too early?");
}

// Dynamic shared memory that doesn't hold as many rows as a tile has columns.
std::string too_few_bytes(const Walk& walk, const Block& block, std::int64_t bytes, std::int64_t halves) {
    const std::int64_t needed = block.x * walk.pitch * trace::word_bytes;
    if (bytes <= 0 || bytes >= needed) return "";
    const bool is_in_elements = bytes * trace::word_bytes == needed;
    const char* const question = is_in_elements                                            ? "are these elements instead of bytes?"
                                 : bytes == halves * block.x * block.x * trace::word_bytes ? "is the padding of each row included?"
                                                                                           : "how many rows and words a row does it count?";
    return fmt::format("{} rows of {} that begin {} words apart take {} bytes, the launch asks for {} of shared memory: {}", block.x,
                       walk.array, walk.pitch, needed, bytes, question);
}

}  // namespace

Message explained_by_walk(Message message, const trace::Launch& launch, const Tiling& tiling) {
    if (!launch.recording) return message;
    const Block block{launch.block.x, launch.block.y};
    for (const Recording::Access& access : launch.recording->accesses) {
        auto walk = walk_of(access, block);
        if (!walk) continue;
        walk->array = launch.name_of(access);
        if (walk->array.empty()) walk->array = "the tile";
        const bool is_outside = message.kind == Topic::out_of_bounds;
        const std::string text = is_outside
                                     ? too_few_bytes(*walk, block, launch.dynamic_shared_bytes, static_cast<std::int64_t>(tiling.halves))
                                 : message.kind == Topic::uninitialised_read ? rows_left_out(*walk, block, tiling)
                                                                             : "";
        if (text.empty()) continue;
        message.what = "what follows from it: " + message.what;
        message = message.led_by(text, is_outside ? "tile_bytes" : "tile_rows_left_out");
        message.proof = Proof::index;
        return message;
    }
    return message;
}

}  // namespace lab::diagnosis
