// Infers the mistake behind an access outside an array from the thread, the element and the sizes.
#pragma once

#include <string>

#include "common/findings/finding.h"
#include "common/grading/reference.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// "its thread loads row 0 and column 40, but A ends at column 39: does a guard test the column?" "" if the numbers prove no mistake, or if
// the launch is unknown.
[[nodiscard]] std::string cause_of_outside_access(const Finding& access, const Launched& launched, const Shape& shape,
                                                  const Expected& expected);

}  // namespace lab::grading
