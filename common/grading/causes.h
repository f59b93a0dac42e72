// What the values of wrong elements give away about the mistake behind them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/reference.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// One output that is wrong, with which of its elements are.
template <typename T>
struct Wrong {
    const Shape& shape;
    const std::vector<T>& got;
    const Expected& expected;
    std::vector<bool> wrong;
    std::size_t count = 0;            // of wrong elements
    std::size_t unwritten = 0;        // of those that hold what they held before the call
    std::size_t first_unwritten = 0;  // meaningless where none is
};

// A mistake that every wrong element bears out, as a sentence; "" if none is known.
template <typename T>
[[nodiscard]] std::string proven_cause(const Wrong<T>& seen);
// What all wrong elements have in common, with what often causes it: only worth saying where their places tell nothing.
template <typename T>
[[nodiscard]] std::string common_value(const Wrong<T>& seen);

}  // namespace lab::grading
