// Finds the other sum of products that the wrong elements of a matrix product hold.
#pragma once

#include <string>

#include "common/grading/causes.h"

namespace lab::grading {

// "P holds only the terms k = 0 to 15 of 25 ...", "P is M M: ..."; none if it is no known one, or if too few elements are wrong to be sure.
template <typename T>
[[nodiscard]] Cause other_product(const Wrong<T>& seen);

// The same for sums that read both factors at wrong indices.
template <typename T>
[[nodiscard]] Cause product_of_other_indices(const Wrong<T>& seen);

}  // namespace lab::grading
