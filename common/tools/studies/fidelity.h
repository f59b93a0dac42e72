// `lab fidelity`: times of real GPUs beside those that the emulator models for the same kernels. Times that others have published, or rows
// that were measured on a GPU, here or elsewhere.
#pragma once

#include <cstdint>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct FidelityOptions {
    std::string device;         // only published tables about this one; of rows, the device to model
    std::string rows;           // a file of measured rows (kernel_rows.h)
    bool measures = false;      // on the GPU that is there, into `rows`
    std::string kernels;        // to measure: labs or others; of rows the file says so itself
    int size = 8192;            // rows up to this side
    std::uint64_t blocks = 64;  // of a larger launch only about so many run in the emulator; 0: all
    std::string json, svg;
};

// 0, or 130 when interrupted, with what was done until then shown. Throws BadInput.
[[nodiscard]] int fidelity(const Project& project, const FidelityOptions& options);

// Its parts about rows: modelled beside measured ...
[[nodiscard]] int fidelity_of_rows(const Project& project, const FidelityOptions& options);
// ... and measured first.
[[nodiscard]] int measure_rows(const Project& project, const FidelityOptions& options);

}  // namespace lab::tools
