// Verdict on a wrong result that helps to find the mistake: number and positions of wrong elements, and the pattern's usual cause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/diagnosis/expected.h"
#include "common/diagnosis/message.h"

namespace lab::diagnosis {

// An output as the student sees it: rows x cols, row-major. A vector has one row.
struct Shape {
    std::string name;  // "P"
    std::size_t rows = 1;
    std::size_t cols = 1;
    bool by_grid = false;        // a kernel's blocks compute it
    bool maps_tiles = false;     // the kernel itself says which tile a block takes
    bool x_is_row = false;       // threads along x compute different rows
    std::size_t unroll = 1;      // elements that a thread takes along x of the grid, blockDim.x apart
    bool unrolls_y = false;      // along y instead, also blockDim.x apart
    std::string in_constants{};  // the factor that the host copies to constant memory; or ""
};

// The launch that computed an output, with the properties that a verdict needs. None: all 0.
struct Launched {
    std::size_t grid_x = 0, grid_y = 0, block_x = 0, block_y = 0;
    std::size_t stored = 0;   // stores of its threads to elements in global memory, repeats included
    bool is_fetched = false;  // a copy brought the output to the host
    bool is_stopped = false;  // ended by a fault, so that not every thread has finished
    bool is_racing = false;   // two threads raced for an element of shared memory, so that values are no single mistake's
};

// Number of blocks of `side` lines that cover `lines`.
[[nodiscard]] inline std::size_t blocks_over(std::size_t lines, std::size_t side) { return (lines + side - 1) / side; }

template <typename T>
[[nodiscard]] std::uint64_t bits_of(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

// "P[33] (row 1, column 1)", "y[3]".
[[nodiscard]] std::string place(const Shape& shape, std::size_t index);

// Empty if every element is right, else the verdict. `poison`: the bits of each element before the call.
template <typename T>
[[nodiscard]] Message compare(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison,
                              const Launched& launched = {});
// Whether every element is right.
template <typename T>
[[nodiscard]] bool is_right(const std::vector<T>& got, const Expected& expected);
// The mistake with an index that all elements that were written prove, of a launch that was stopped; or nothing.
template <typename T>
[[nodiscard]] Message index_mistake(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison,
                                    const Launched& launched);

// Empty if both runs gave the same bits, else the difference. The runs differ only in the order of blocks and warps; `ways` names the
// orders: {"blocks and warps in order", "in reversed order"}.
struct Ways {
    std::string first, second;
};
template <typename T>
[[nodiscard]] Message compare_orders(const Shape& shape, const std::vector<T>& first, const std::vector<T>& second, const Ways& ways);

// Lines: a heading and at most 12 x 12 cells, · if all elements of the cell's region are right and × if one is wrong. None if every cell
// would be a ×.
[[nodiscard]] std::vector<std::string> draw_map(const std::vector<bool>& wrong, std::size_t rows, std::size_t cols);

// The same for a page, with as many cells as fit there.
[[nodiscard]] WrongElements wrong_elements(const Shape& shape, const std::vector<bool>& wrong);

// A pattern of wrong elements.
struct Pattern {
    std::string what;   // "only the last column is wrong"; "" if nothing is known
    std::string cause;  // what often causes it; ""
    [[nodiscard]] bool empty() const { return what.empty(); }
    [[nodiscard]] std::string text() const { return cause.empty() ? what : what + ": " + cause; }
};
[[nodiscard]] Pattern describe_pattern(const Shape& shape, const std::vector<bool>& wrong);

// The shortest period from 2 on in which the flags repeat at least once; 0 if there is none.
[[nodiscard]] std::size_t period_of(const std::vector<bool>& flags, std::size_t max_period);
// Whether all flags of a square on one side of its diagonal are set, and no others but for those on it.
[[nodiscard]] bool is_triangle(const std::vector<bool>& flags, std::size_t side, bool lower);

}  // namespace lab::diagnosis
