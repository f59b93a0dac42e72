// Quarters of what is many and alike among the tests (mutants made by machine, second passes, block shapes, slow unit tests, lint): CI runs
// one for each commit, which .ci/quarter draws.
#pragma once

#include <cstdint>
#include <string>

namespace lab::tools {

// Whether a run of this quarter, 1 to 4, has the test of that name: the same answer on every machine (FNV-1a). 0 stands for all quarters.
[[nodiscard]] inline bool is_in(int quarter, const std::string& name) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return quarter == 0 || static_cast<int>((hash >> 32U) % 4) + 1 == quarter;
}

}  // namespace lab::tools
