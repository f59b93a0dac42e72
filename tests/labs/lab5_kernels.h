// The names of lab 5's kernels, and of their calls.
#pragma once

#include <string>
#include <vector>

#include "tests/labs/transposition.h"

namespace lab::grading {

using Lab5 = GradedTest;

inline const std::vector<std::string> plain_kernels{"naive_row", "naive_col", "unroll4_row", "unroll4_col"};
inline const std::vector<std::string> tiled_kernels{"smem", "smem_pad", "smem_unroll_pad"};
inline const std::vector<std::string> all_kernels{"naive_row", "naive_col", "unroll4_row",    "unroll4_col",
                                                  "smem",      "smem_pad",  "smem_unroll_pad"};

[[nodiscard]] inline std::string named(const std::string& kernel, const Transposition& work, Block block = {}) {
    return kernel + " at " + shape_of(work, block);
}

}  // namespace lab::grading
