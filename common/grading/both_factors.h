// Finds mistakes that change the indices of both factors of a matrix product.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/grading/index_guess.h"
#include "common/grading/reference.h"
#include "common/grading/samples.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// The sum of the products at these indices; none if an index leads out of its matrix.
[[nodiscard]] std::optional<double> sum_at(const Factors& factors, const Sample& one, const Index& left, const Index& right);

// "each tile of P is the product of the tiles of M and N at its own place: ...", "each element of P holds only products of the two elements
// that its own thread loads into the tiles: ..."; "" if the values prove no such mistake.
// `tiles`: sides that tiles may have.
[[nodiscard]] std::string own_elements_only(const Shape& shape, const Factors& factors, const Explained& samples,
                                            const std::vector<std::size_t>& tiles);
// "P[row * 32 + col] was made from M[k * 32 + row] and N[col * 32 + k] instead of ..."
[[nodiscard]] std::string both_indices(const Shape& shape, const Factors& factors, const Explained& samples,
                                       const std::vector<std::size_t>& tiles);

// "column 1 of M is multiplied by row 0 of N, and so on in every 2: ...", if such pairs explain all samples, and each element of one factor
// occurs once; else "". `output`: all elements of the product, row by row. It needs as many of its rows, or columns, as a sum has terms.
[[nodiscard]] std::string terms_paired_otherwise(const Shape& shape, const Factors& factors, const Explained& samples,
                                                 const std::vector<double>& output);

}  // namespace lab::grading
