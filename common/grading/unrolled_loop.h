// Explanations of lines or terms that are left out at the end: by a bound, or by a loop that takes several at a time and lacks a rest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/message.h"

namespace lab::grading {

// Explanations by loops that take 2, 4, 8 or 16 at a time, of which `reached` of `all` remain: "`what`, and 28 is the last multiple of 4
// up to 31: ...". `line` distinguishes them from those of other loops: "column". Empty if no such loop ends there.
[[nodiscard]] std::vector<Explanation> lacks_rest(const std::string& line, std::size_t reached, std::size_t all, const std::string& what);

// What explains the outputs at several shapes: the only explanation that all of these lists share, or else the one that is always true, the
// last, if the first of the lists does not hold for all. Empty if the message is as good.
[[nodiscard]] std::string shared_explanation(const std::vector<std::vector<Explanation>>& at_shapes,
                                             const std::vector<Explanation>& of_message);

}  // namespace lab::grading
