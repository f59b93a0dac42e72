// Infers the index expression of a launch's threads from the elements that they reached.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/causes.h"

namespace lab::grading {

// "blockDim.x and gridDim.y": those sides of a launch's blocks and grid that are equal to a number; "" if none is.
[[nodiscard]] std::string names_of_number(std::size_t number, const Launched& launched);

// Elements of an output that a launch reached.
struct Reached {
    std::vector<bool> elements;
    bool were_zero = false;  // the others were written, but hold 0
};

// "P is written only at row = blockIdx.y * 16 + threadIdx.y, ...": the index that the reached elements prove. Nothing for a vector, or if a
// thread has several elements.
[[nodiscard]] Cause thread_index(const Launched& launched, const Shape& shape, const Reached& reached);
// The same for a vector with one thread an element; "" if nothing is proven.
[[nodiscard]] std::string thread_index_of_vector(const Launched& launched, const Shape& shape, const Reached& reached);

}  // namespace lab::grading
