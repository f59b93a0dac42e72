// `lab bandwidth`: cost of copies over their size, and saxpy beside its bound. Measured on a GPU, modelled in the emulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct BandwidthOptions {
    std::string sizes;   // "1K,64K,4M"; "": powers of two
    std::string device;  // device to model, in the emulator
    std::int64_t repeats = 20;
    std::string json, svg;
};

// Returns 0, or 130 when interrupted, with the results so far shown. Throws BadInput.
[[nodiscard]] int bandwidth(const Project& project, const BandwidthOptions& options);

// "1K,64K,4M" in bytes, ascending, each once. Throws BadInput.
[[nodiscard]] std::vector<std::uint64_t> sizes_in(const std::string& list);

}  // namespace lab::tools
