// What is wrong with a result, told so that the mistake can be found: how many elements, which ones, where they lie,
// and what such a pattern suggests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/grading/reference.h"

namespace lab::grading {

// An output as a student knows it: rows x cols, row-major. A vector has one row.
struct Shape {
    std::string name;  // "P"
    std::size_t rows = 1;
    std::size_t cols = 1;
};

// "" if every element is right, else the verdict's text. `poison`: the bits that each element held before the call.
template <typename T>
[[nodiscard]] std::string compare(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison);

// At most 16 x 16 cells, · where all elements are right and × where one is wrong, each cell a region of the output.
[[nodiscard]] std::string draw_map(const std::vector<bool>& wrong, std::size_t rows, std::size_t cols);

// What a pattern of wrong elements looks like: "only the last column is wrong", with what often causes it; "" if nothing known.
[[nodiscard]] std::string describe_pattern(const std::vector<bool>& wrong, std::size_t rows, std::size_t cols);

}  // namespace lab::grading
