// Reads of shared memory whose elements are stored after them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lab::grading {

// Whether a recorded block reads an element of an array in shared memory that none of its threads has stored yet, and stores it after a
// later barrier. `launch`: as in a backend's report; without a record false.
[[nodiscard]] bool is_read_before_stored(const nlohmann::json& launch, const std::string& array);

}  // namespace lab::grading
