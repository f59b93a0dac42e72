// Catalogue entries of kernels that transpose or copy a matrix, called by common/runner/transposition.h.
#pragma once

#include <string>

#include "common/tools/studies/study_kernel.h"

namespace lab::tools {

// A kernel with one thread an element, in blocks of any shape.
[[nodiscard]] StudyKernel transposing_kernel(const std::string& lab, const std::string& name);
// A kernel with one block shape: 32 x 8 threads move a tile of 32 x 32.
[[nodiscard]] StudyKernel tile_transposing_kernel(const std::string& lab, const std::string& name);

}  // namespace lab::tools
