// The installed CUDA toolkit, if any.
#pragma once

#include <string>

namespace lab::tools {

// Path of one of its programs ("nvcc", "ptxas"): on PATH, else in CUDA_HOME or CUDA_PATH, else, if neither is set, in /usr/local/cuda. ""
// if there is none.
[[nodiscard]] std::string find_in_toolkit(const std::string& program);

}  // namespace lab::tools
