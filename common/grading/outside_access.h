// Infers the mistake behind an access outside an array from the thread, the element and the sizes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/findings/finding.h"
#include "common/grading/reference.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// The output's element that a thread computes.
struct OwnElement {
    std::size_t row = 0, col = 0;
};

// The thread's element if blocks are the output's tiles: along x and y, or numbered along x, row by row. It may lie outside the output.
// Nothing if the thread or the launch is unknown.
[[nodiscard]] std::optional<OwnElement> own_element(const Place& place, const Launched& launched, const Shape& shape);

// Whether of the access's warp only the threads whose index along x, or y, is `size` have made it, although the warp has threads at
// higher ones: something keeps those away.
[[nodiscard]] bool has_only_edge(const Finding& access, const Launched& launched, bool is_x, std::size_t size);

// "its thread loads row 0 and column 40, but A ends at column 39: does a guard test the column?" "" if the numbers prove no mistake, or if
// the launch is unknown.
[[nodiscard]] std::string cause_of_outside_access(const Finding& access, const Launched& launched, const Shape& shape,
                                                  const Expected& expected);

}  // namespace lab::grading
