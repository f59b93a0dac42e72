// Infers the mistake behind an access outside an array, or a race for an element, from the threads, the elements and the sizes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/findings/finding.h"
#include "common/grading/message.h"
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

// The message of a race, with a first line that names the writer whose own element lies outside the output, and the element that it
// stores to instead: a flat index that runs on into the next row, or indices limited to the last row or column. Or it names the number that
// stands in both threads' index where a side of the block should. Other messages are unchanged.
[[nodiscard]] Message explained_by_writers(Message found, const Launched& launched, const Shape& shape);

}  // namespace lab::grading
