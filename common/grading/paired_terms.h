// Infers which row of the right factor of a product each column of the left one was multiplied by.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/samples.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// "column 1 of M is multiplied by row 0 of N, and so on in every 2: ...", if such pairs explain all samples, and each element of one factor
// occurs once; else "". `output`: all elements of the product, row by row. It needs as many of its rows, or columns, as a sum has terms.
[[nodiscard]] std::string terms_paired_otherwise(const Shape& shape, const Factors& factors, const Explained& samples,
                                                 const std::vector<double>& output);

}  // namespace lab::grading
