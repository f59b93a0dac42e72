// The CUDA toolkit, where it is installed.
#pragma once

#include <string>

namespace lab::tools {

// How to start one of its programs ("nvcc", "ptxas"): on PATH, else in CUDA_HOME or CUDA_PATH, else, where neither is set, in
// /usr/local/cuda. "" where there is none.
[[nodiscard]] std::string find_in_toolkit(const std::string& program);

}  // namespace lab::tools
