// What a study does with each element of its arrays: random inputs, and outputs that are looked through. Compiled with optimisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::tools {

// Appends `count` floats, or doubles, in [-1, 1), fresh ones at each call.
void append_random(std::uint64_t count, bool is_double, std::vector<std::byte>* raw);

// How many of the `count` floats, or doubles, at `raw` have these bits.
[[nodiscard]] std::uint64_t count_equal(const std::byte* raw, std::uint64_t count, bool is_double, std::uint64_t bits);

}  // namespace lab::tools
