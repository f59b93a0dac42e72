// Finds the part of each block whose threads have stored.
#pragma once

#include <string>
#include <vector>

#include "common/grading/verdict.h"

namespace lab::grading {

// "of every 16 columns of P, one block's, only column 0 was written: does a guard let only threads with threadIdx.x = 0 store?" `rows`,
// `cols`: those reached; "" if the blocks differ, or if there is only one.
[[nodiscard]] std::string part_of_each_block(const Launched& launched, const Shape& shape, const std::vector<bool>& rows,
                                             const std::vector<bool>& cols);

}  // namespace lab::grading
