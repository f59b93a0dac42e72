// `lab counters`: the emulator's counters beside those of a GPU, for every kernel of labs 2, 3, 5 and 6.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct CountersOptions {
    std::string hardware;  // ncu's CSV of tests/gpu/counter_cases.cu, made by tests/gpu/on_device.sh
    std::string ptx;       // what nvcc made of the same source for that run; "nvcc": compile it now
    std::string gpu;       // the GPU's name, for the table
    std::string table;     // write the table there; "": print it
};

// The table of all counters (trace/counters.inc) in Markdown.
[[nodiscard]] std::string counter_table();

// Runs the same launches in the emulator twice, on clang's PTX and on nvcc's, and compares launch by launch.
// 0 if requests and sectors of global loads and stores are equal everywhere, and wavefronts of shared memory within 3 % wherever the
// SASS makes the accesses that the PTX has; else 1. Throws BadInput.
[[nodiscard]] int counters(const Project& project, const CountersOptions& options);

}  // namespace lab::tools
