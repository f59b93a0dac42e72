#include "common/grading/outside_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/findings/finding_text.h"

namespace lab::grading {
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

}  // namespace

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
    return shape.x_is_row ? OwnElement{x, y} : OwnElement{y, x};
}

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

std::string cause_of_outside_access(const Finding& access, const Launched& launched, const Shape& shape, const Expected& expected) {
    const std::size_t bytes = access.value(Quantity::access_bytes).value_or(0);
    if (launched.block_x == 0 || access.locations.empty() || access.places.empty() || bytes == 0) {
        return "";
    }
    const Location& location = access.locations.front();
    if (location.relation != Relation::past_end && location.relation != Relation::crosses_end) {
        return "";
    }
    if (location.object.kind == ObjectKind::shared_memory) {
        const std::size_t element = (location.object.size + location.distance) / bytes;
        const std::string of_size = cause_in_shared_memory(location.object, element, bytes, launched);
        return of_size.empty() ? cause_behind_last_row(location.object, element, bytes, access.places.front(), launched, shape) : of_size;
    }
    const std::optional<OwnElement> own = shape.x_is_row ? std::nullopt : own_element(access.places.front(), launched, shape);
    if (!own || expected.factors == nullptr || location.object.kind != ObjectKind::allocation || location.object.name.empty()) {
        return "";
    }
    const std::size_t index = (location.object.size + location.distance) / bytes;
    if (shape.rows == 1) {
        return cause_in_vector_product(location.object.name, index, own->col, shape, *expected.factors, launched,
                                       access.places.front().thread->y);
    }
    return shape.maps_tiles ? cause_in_product(location.object.name, index, *own, shape, *expected.factors, launched) : "";
}

}  // namespace lab::grading
