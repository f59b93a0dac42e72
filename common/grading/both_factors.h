// Finds mistakes that change the indices of both factors of a matrix product.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/reference.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// An output's element and the value that the student's code stored.
struct Sample {
    std::size_t row, col;
    double got;
};

// Elements that a mistake has to explain: all, though only the wrong ones prove it.
struct Explained {
    std::vector<Sample> wrong, right;
    double slack, range;
};

// "each sum of P holds only the products of the two elements that its own thread loads: ..."; "" if the values prove no such mistake.
// `tiles`: sides that tiles may have.
[[nodiscard]] std::string own_elements_only(const Shape& shape, const Factors& factors, const Explained& samples,
                                            const std::vector<std::size_t>& tiles);
// "P[row * 32 + col] was made from M[k * 32 + row] and N[col * 32 + k] instead of ..."
[[nodiscard]] std::string both_indices(const Shape& shape, const Factors& factors, const Explained& samples,
                                       const std::vector<std::size_t>& tiles);

}  // namespace lab::grading
