// Infers mistakes in grid, guards and indices from the elements of an output that were written at all.
#pragma once

#include "common/grading/causes.h"

namespace lab::grading {

// Rule that the unwritten elements follow: "P is written only at row = blockIdx.y * 8 + threadIdx.y, ..."; none if they follow no known
// rule, or if other elements are wrong as well.
template <typename T>
[[nodiscard]] Cause coverage(const Wrong<T>& seen);

}  // namespace lab::grading
