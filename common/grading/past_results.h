// Results that earlier calls should have given: whoever keeps something from one call to the next gives them again.
#pragma once

#include <string>

#include "common/grading/causes.h"

namespace lab::grading {

// Adds what a call should have given to the few results that are kept.
void remember_result(const Expected& expected);

// "P holds the result of an earlier call ..."; "" where it's no such thing.
template <typename T>
[[nodiscard]] std::string past_result(const Wrong<T>& seen);

}  // namespace lab::grading
