#include "common/diagnosis/causes/outside_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/diagnosis/causes/list.h"
#include "common/findings/finding_text.h"

namespace lab::diagnosis {
namespace {

// Side of square tiles, other than the block's, behind the first of which the element lies; 0 if none.
std::size_t side_of_another_block(std::size_t element, const Launched& launched) {
    for (const std::size_t side : {std::size_t{8}, std::size_t{16}, std::size_t{32}}) {
        if (launched.block_x < side && element >= side * side && element < side * side + side) {
            return side;
        }
    }
    return 0;
}

// Cause of an access beyond a block's shared memory, which is smaller than the block or counted in elements.
std::string cause_in_shared_memory(const Object& object, std::size_t element, std::size_t element_bytes, const Launched& launched) {
    const std::size_t threads = launched.block_x * launched.block_y;
    const std::size_t elements = object.size / element_bytes;
    if (object.is_dynamic && (object.size == threads || object.size == threads + launched.block_x)) {
        return fmt::format("its {} elements take {}: is sizeof missing?", object.size, object.size * element_bytes);
    }
    if (object.is_dynamic && elements == threads && threads > 1) {
        return fmt::format("{} elements are one tile of {} x {}: is the other tile left out?", elements, launched.block_x,
                           launched.block_y);
    }
    if (object.is_dynamic && elements == 0) {
        return "the launch asks for none, and an array declared extern has only what the launch asks for";
    }
    const bool is_in_bytes =
        object.is_dynamic && element >= element_bytes * threads && element < element_bytes * threads + launched.block_x;
    if (const std::size_t side = object.is_dynamic ? side_of_another_block(element, launched) : 0; side > 0) {
        return fmt::format(
            "element {} lies behind a tile of {} x {}, but the block has {} x {} threads: does {} stand where blockDim.x "
            "should{}?",
            element, side, side, launched.block_x, launched.block_y, side,
            is_in_bytes ? ", or an offset in bytes where one in elements should" : "");
    }
    if (is_in_bytes && threads > 1) {
        return fmt::format(
            "element {} lies {} times as far as a tile of {} x {} reaches: is an offset in bytes where one in elements should "
            "be?",
            element, element_bytes, launched.block_x, launched.block_y);
    }
    if (elements < threads) {
        return fmt::format("{} elements for {} x {} threads: {}", elements, launched.block_x, launched.block_y,
                           object.is_dynamic ? "is that the size of a smaller block?" : "is a tile declared smaller than the block?");
    }
    return "";
}

// Cause of an access behind the last row of a tile of blockDim.x rows, for which the block's shared memory has just the size: the thread
// lies in the column of its own, and a whole number of blocks' heights below its own row.
std::string cause_behind_last_row(const Object& object, std::size_t element, std::size_t element_bytes, const Place& place,
                                  const Launched& launched, const Shape& shape) {
    const std::size_t rows = launched.block_x;
    const std::size_t elements = object.size / element_bytes;
    const std::size_t pitch = elements / rows;
    const std::size_t width = rows * (shape.unrolls_y ? shape.unroll : 1);
    if (!object.is_dynamic || shape.rows < 2 || !place.thread || elements % rows != 0 || pitch < width || pitch > width + 1) {
        return "";
    }
    const std::size_t row = element / pitch;
    const std::size_t col = element % pitch;
    const bool is_own = col < width && col % rows == place.thread->x && row % launched.block_y == place.thread->y % launched.block_y;
    return !is_own ? ""
                   : fmt::format(
                         "{} rows of {} elements, but thread {} goes on to row {}: does the loop down the tile take too many steps "
                         "of blockDim.y, {}, or are row and column of the tile exchanged?",
                         rows, pitch, to_text(*place.thread), row, launched.block_y);
}

// An array whose element (row, col) is at row * cols + col.
struct Matrix {
    std::string name;
    std::size_t rows, cols;
};

// Question about the guard of an access at (row, col); "" if that lies inside the matrix.
std::string beyond(const Matrix& matrix, std::size_t row, std::size_t col, const char* does) {
    if (row < matrix.rows && col < matrix.cols) {
        return "";
    }
    const bool is_row = row >= matrix.rows;
    return fmt::format("its thread {} row {} and column {}, but {} ends at {} {}: does a guard test the {}?", does, row, col, matrix.name,
                       is_row ? "row" : "column", (is_row ? matrix.rows : matrix.cols) - 1, is_row ? "row" : "column");
}

// Whether a line lies in the tile that reaches past the last of `lines`, or before it, at the thread's place in the tile.
bool is_in_last_tile(std::size_t line, std::size_t lines, std::size_t tile, std::size_t thread) {
    return line % tile == thread && line / tile * tile < lines;
}

// The element that a thread asks of a factor or of the output, if it lies at that thread's row or column in a tile that exists.
std::string cause_in_product(const std::string& name, std::size_t index, const OwnElement& own, const Shape& shape, const Factors& factors,
                             const Launched& launched) {
    const auto [x, y] = std::pair(own.col % launched.block_x, own.row % launched.block_y);
    const bool has_tile =
        is_in_last_tile(own.row, shape.rows, launched.block_y, y) && is_in_last_tile(own.col, shape.cols, launched.block_x, x);
    if (name == shape.name) {
        const bool is_own = has_tile && index == own.row * shape.cols + own.col;
        return is_own ? beyond({name, shape.rows, shape.cols}, own.row, own.col, "stores to") : "";
    }
    if (name == factors.left && has_tile && index >= own.row * factors.inner) {
        const std::size_t k = index - own.row * factors.inner;
        const bool is_tiled = is_in_last_tile(k, factors.inner, launched.block_x, x);
        return is_tiled ? beyond({name, shape.rows, factors.inner}, own.row, k, "loads") : "";
    }
    if (name == factors.right && has_tile && index >= own.col && (index - own.col) % shape.cols == 0) {
        const std::size_t k = (index - own.col) / shape.cols;
        const bool is_tiled = is_in_last_tile(k, factors.inner, launched.block_y, y);
        return is_tiled ? beyond({name, factors.inner, shape.cols}, k, own.col, "loads") : "";
    }
    return "";
}

// The same for a vector, the product of a matrix stored column by column: the vector is the left factor, the matrix the right one.
std::string cause_in_vector_product(const std::string& name, std::size_t index, std::size_t row, const Shape& shape, const Factors& factors,
                                    const Launched& launched, std::size_t y) {
    const std::size_t rows = shape.cols;
    if (name == factors.left && index < factors.inner + launched.block_x && index >= factors.inner) {
        return fmt::format("its elements are the columns of {}: does the guard of {} test the number of columns?", factors.right, name);
    }
    const bool is_in_row = name == factors.right && row < rows && index >= row && (index - row) % rows == 0;
    const std::size_t k = is_in_row ? (index - row) / rows : 0;
    return is_in_row && is_in_last_tile(k, factors.inner, launched.block_y, y) ? beyond({name, rows, factors.inner}, row, k, "loads") : "";
}

// The thread's element if blocks are the output's tiles: along x and y, or numbered along x, row by row. It may lie outside the output.
// Nothing if the thread or the launch is unknown.
std::optional<OwnElement> own_element(const Place& place, const Launched& launched, const Shape& shape) {
    if (!place.block || !place.thread || launched.block_x == 0) {
        return {};
    }
    const std::size_t across = blocks_over(shape.cols, launched.block_x);
    const bool is_numbered = shape.maps_tiles && launched.grid_y == 1;
    const std::size_t block_y = is_numbered ? place.block->x / across : place.block->y;
    const std::size_t block_x = is_numbered ? place.block->x % across : place.block->x;
    const std::size_t y = shape.rows == 1 ? 0 : block_y * launched.block_y + place.thread->y;
    const std::size_t x = block_x * launched.block_x + place.thread->x;
    return shape.x_is_row ? OwnElement{x, y, 0} : OwnElement{y, x, 0};
}

}  // namespace

bool has_only_edge(const Finding& access, const Launched& launched, bool is_x, std::size_t size) {
    constexpr std::size_t warp_threads = 32;
    const auto [block, thread] = access.who();
    const std::size_t number = thread.y * launched.block_x + thread.x;
    const std::size_t first = number / warp_threads * warp_threads;
    const std::size_t last = std::min(first + warp_threads, launched.block_x * launched.block_y);
    std::size_t at_edge = 0;
    std::size_t beyond = 0;
    for (std::size_t one = first; one < last; ++one) {
        const std::size_t index =
            is_x ? block.x * launched.block_x + one % launched.block_x : block.y * launched.block_y + one / launched.block_x;
        at_edge += index == size ? 1 : 0;
        beyond += index > size ? 1 : 0;
    }
    const auto others = access.value(Quantity::other_threads).value_or(0);
    const std::size_t own = is_x ? block.x * launched.block_x + thread.x : block.y * launched.block_y + thread.y;
    return own == size && beyond > 0 && others + 1 == at_edge;
}

namespace {

// An element behind the end of an array, in a launch that is known.
struct Overrun {
    const Location& location;
    const Place& place;
    std::size_t element, element_bytes;
};

std::optional<Overrun> overrun_in(const FailedLaunch& seen) {
    const Finding& access = seen.finding;
    const std::size_t bytes = access.value(Quantity::access_bytes).value_or(0);
    const bool is_known = access.kind == FindingKind::out_of_bounds && seen.launched.block_x > 0 && !access.locations.empty() &&
                          !access.places.empty() && bytes > 0;
    if (!is_known) return {};
    const Location& location = access.locations.front();
    if (location.relation != Relation::past_end && location.relation != Relation::crosses_end) return {};
    return Overrun{location, access.places.front(), (location.object.size + location.distance) / bytes, bytes};
}

// The same in shared memory, and in an array of a product with one element for each thread.
std::optional<Overrun> overrun_of_tile(const FailedLaunch& seen) {
    const auto overrun = overrun_in(seen);
    return overrun && overrun->location.object.kind == ObjectKind::shared_memory ? overrun : std::nullopt;
}

std::optional<Overrun> overrun_of_factor(const FailedLaunch& seen) {
    const auto overrun = overrun_in(seen);
    const bool is_factor = overrun && !seen.shape.x_is_row && seen.expected.factors != nullptr &&
                           overrun->location.object.kind == ObjectKind::allocation && !overrun->location.object.name.empty();
    return is_factor ? overrun : std::nullopt;
}

// Of shared memory the finding itself says no more than that an index or a size is wrong: replaces that.
Cause in_shared_memory(const FailedLaunch& seen, const std::string& text) {
    return {text.empty() ? "" : seen.first_line.substr(0, seen.first_line.rfind(": ")) + ": " + text};
}

Cause added(const FailedLaunch& seen, const std::string& text) { return {text.empty() ? "" : seen.first_line + "; " + text}; }

// Whether an access passed the end of an allocation, of unknown contents, that has not even room for the output.
bool is_small(const Finding& finding, const Shape& shape) {
    return std::any_of(finding.locations.begin(), finding.locations.end(), [&](const Location& location) {
        return location.object.name.empty() && location.object.size < shape.rows * shape.cols * sizeof(float);
    });
}

// The index along x and y of a thread that left an array in global memory, where each thread has one element of a vector or a square.
std::optional<OwnElement> index_of_thread(const FailedLaunch& seen) {
    const Shape& shape = seen.shape;
    const Finding& finding = seen.finding;
    const bool has_an_element_each = shape.by_grid && (shape.rows == 1 || shape.rows == shape.cols);
    if (finding.kind != FindingKind::out_of_bounds || seen.launched.block_x == 0 || !has_an_element_each ||
        finding.space != MemorySpace::global || finding.places.empty() || !finding.places[0].thread || !finding.places[0].block)
        return {};
    const auto [block, thread] = finding.who();
    return OwnElement{block.y * seen.launched.block_y + thread.y, block.x * seen.launched.block_x + thread.x, 0};
}

}  // namespace

Cause shared_memory_size(const FailedLaunch& seen) {
    const auto overrun = overrun_of_tile(seen);
    return overrun ? in_shared_memory(
                         seen, cause_in_shared_memory(overrun->location.object, overrun->element, overrun->element_bytes, seen.launched))
                   : Cause{};
}

Cause rows_behind_tile(const FailedLaunch& seen) {
    const auto overrun = overrun_of_tile(seen);
    return overrun ? in_shared_memory(seen, cause_behind_last_row(overrun->location.object, overrun->element, overrun->element_bytes,
                                                                  overrun->place, seen.launched, seen.shape))
                   : Cause{};
}

Cause guard_of_matrix(const FailedLaunch& seen) {
    const auto overrun = overrun_of_factor(seen);
    const auto own =
        overrun && seen.shape.rows > 1 && seen.shape.maps_tiles ? own_element(overrun->place, seen.launched, seen.shape) : std::nullopt;
    return own ? added(seen, cause_in_product(overrun->location.object.name, overrun->element, *own, seen.shape, *seen.expected.factors,
                                              seen.launched))
               : Cause{};
}

Cause guard_of_vector(const FailedLaunch& seen) {
    const auto overrun = overrun_of_factor(seen);
    const auto own = overrun && seen.shape.rows == 1 ? own_element(overrun->place, seen.launched, seen.shape) : std::nullopt;
    return own ? added(seen, cause_in_vector_product(overrun->location.object.name, overrun->element, own->col, seen.shape,
                                                     *seen.expected.factors, seen.launched, overrun->place.thread->y))
               : Cause{};
}

Cause guard_of_thread(const FailedLaunch& seen) {
    const auto own = index_of_thread(seen);
    const Shape& shape = seen.shape;
    const bool is_x = own && own->col >= shape.cols;
    if (!own || (!is_x && (shape.rows == 1 || own->row < shape.rows))) return {};
    const std::string start =
        fmt::format("its thread's index in {} is {}, {} has {}", is_x ? 'x' : 'y', is_x ? own->col : own->row, shape.name, shape.cols);
    return added(seen,
                 has_only_edge(seen.finding, seen.launched, is_x, shape.cols)
                     ? start + ", and threads of its warp at higher ones did not do so: does <= stand where < should?"
                     : fmt::format("{}: does a guard before this line test {}?", start, shape.rows > 1 ? "both indices, with &&" : "that"));
}

Cause runs_too_far(const FailedLaunch& seen) {
    if (!index_of_thread(seen) || seen.shape.rows == 1 || is_small(seen.finding, seen.shape)) return {};
    return added(seen, fmt::format("its thread lies inside {}: does a loop or an index run too far?", seen.shape.name));
}

}  // namespace lab::diagnosis
