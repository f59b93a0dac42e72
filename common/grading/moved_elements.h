// Finds the index behind elements of an output that have right values at wrong positions.
#pragma once

#include <string>

#include "common/grading/causes.h"

namespace lab::grading {

// "out[row * 64 + col] holds in[row * 64 + col] instead of in[col * 128 + row]: ..."; if no index explains every written element, it says
// that each wrong element is another position's, if so.
template <typename T>
[[nodiscard]] Cause moved_elements(const Wrong<T>& seen);

}  // namespace lab::grading
