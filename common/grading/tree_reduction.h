// Terms of a sum that a tree reduction drops where it halves a number of threads that is no power of two.
#pragma once

#include <cstddef>
#include <string>

#include "common/grading/reference.h"
#include "common/grading/samples.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// "y lacks the terms k % 24 = 2, 5, 8, 11 and 4 more: does a sum by halves drop some of 24 threads, ...": `threads` sum up the terms
// k % threads each, and the reduction adds the upper half to the lower one until one is left. "" if the values don't prove that.
[[nodiscard]] std::string dropped_by_halves(const Shape& shape, const Factors& factors, const Explained& samples, std::size_t threads);

}  // namespace lab::grading
