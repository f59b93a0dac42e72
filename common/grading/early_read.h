// Reads of shared memory whose elements are stored after them.
#pragma once

#include <string>

#include "common/trace/launch.h"

namespace lab::grading {

// Whether a recorded block reads an element of an array in shared memory that none of its threads has stored yet, and stores it after a
// later barrier. False without a record.
[[nodiscard]] bool is_read_before_stored(const trace::Launch& launch, const std::string& array);

}  // namespace lab::grading
