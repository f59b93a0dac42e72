// Where the kernel of a wrong call first departs from the reference solution's.
#pragma once

#include "common/diagnosis/first_difference.h"
#include "common/grading/call.h"
#include "common/grading/reference.h"

namespace lab::grading {

// As common/diagnosis/first_difference.h compares them. The call is made again, in programs of its own: with the student's code and with
// the reference's. Nothing without a reference, and where nothing can be said. The text is "line 24: thread (0,1,0) of block (0,0,0) loads
// ..." and ends with the call's sizes, "(at W=48 tile=16)". `compares_threads`: false if threads may hand registers to each other.
[[nodiscard]] diagnosis::Difference difference_from_reference(const Call& call, const Expected& expected, bool compares_threads);

}  // namespace lab::grading
