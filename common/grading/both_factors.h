// Finds mistakes that change the indices of both factors of a matrix product.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/reference.h"
#include "common/grading/samples.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// "each element of P holds only products of the two elements that its own thread loads into the tiles: ..."; "" if the values prove no such
// mistake.
// `tiles`: sides that tiles may have.
[[nodiscard]] std::string own_elements_only(const Shape& shape, const Factors& factors, const Explained& samples,
                                            const std::vector<std::size_t>& tiles);
// "P[row * 32 + col] was made from M[k * 32 + row] and N[col * 32 + k] instead of ..."
[[nodiscard]] std::string both_indices(const Shape& shape, const Factors& factors, const Explained& samples,
                                       const std::vector<std::size_t>& tiles);

}  // namespace lab::grading
