// Element-wise work on a study's arrays: random inputs, and searches of outputs. Compiled with optimisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::tools {

// Appends `count` floats, or doubles, in [-1, 1), fresh ones at each call.
void append_random(std::uint64_t count, bool is_double, std::vector<std::byte>* raw);

// Number of the `count` floats, or doubles, at `raw` with these bits.
[[nodiscard]] std::uint64_t count_equal(const std::byte* raw, std::uint64_t count, bool is_double, std::uint64_t bits);

}  // namespace lab::tools
