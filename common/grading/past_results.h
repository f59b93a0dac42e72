// Expected results of earlier calls, to recognise code that keeps state between calls.
#pragma once

#include <string>

#include "common/grading/causes.h"

namespace lab::grading {

// Adds a call's expected result to the few that are kept.
void remember_result(const Expected& expected);

// "P holds the result of an earlier call ..."; "" if it doesn't.
template <typename T>
[[nodiscard]] std::string past_result(const Wrong<T>& seen);

}  // namespace lab::grading
