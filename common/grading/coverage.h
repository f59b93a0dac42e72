// Which elements of an output were written at all, and what that says of the grid, the guards and the indices.
#pragma once

#include "common/grading/causes.h"

namespace lab::grading {

// A fact about the elements that were never written: "P is written only at row = blockIdx.y * 8 + threadIdx.y, ..."; none where they
// follow no rule that is known, or others are wrong as well.
template <typename T>
[[nodiscard]] Cause coverage(const Wrong<T>& seen);

}  // namespace lab::grading
