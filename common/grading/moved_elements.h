// Elements of an output that are right in themselves, but in the wrong place: which index put them there.
#pragma once

#include <string>

#include "common/grading/causes.h"

namespace lab::grading {

// "out[row * 64 + col] holds in[row * 64 + col] instead of in[col * 128 + row]: ..."; where no index explains every element that was
// written, that each of the wrong ones is another's, if so.
template <typename T>
[[nodiscard]] Cause moved_elements(const Wrong<T>& seen);

}  // namespace lab::grading
