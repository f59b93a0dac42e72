// `lab fidelity`: times of real GPUs beside modelled ones for the same kernels. The times are published, or measured as rows on any GPU.
#pragma once

#include <cstdint>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct FidelityOptions {
    std::string device;         // only published tables about this one; of rows, the device to model
    std::string rows;           // a file of measured rows (kernel_rows.h)
    bool measures = false;      // on the present GPU, into `rows`
    std::string kernels;        // to measure: labs or others; files of rows have it themselves
    int size = 8192;            // rows up to this side
    std::uint64_t blocks = 64;  // of a larger launch only about so many run in the emulator; 0: all
    std::string json, svg;
};

// Returns 0, or 130 when interrupted, with the results so far shown. Throws BadInput.
[[nodiscard]] int fidelity(const Project& project, const FidelityOptions& options);

// Compares modelled with measured rows.
[[nodiscard]] int fidelity_of_rows(const Project& project, const FidelityOptions& options);
// Measures rows first.
[[nodiscard]] int measure_rows(const Project& project, const FidelityOptions& options);

}  // namespace lab::tools
