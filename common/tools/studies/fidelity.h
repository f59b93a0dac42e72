// `lab fidelity`: times that others have published for real GPUs, beside those that the emulator models for the same kernels.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct FidelityOptions {
    std::string device;  // only tables about this one
    std::string json;
};

// 0, or 130 when interrupted, with what was done until then shown. Throws BadInput.
[[nodiscard]] int fidelity(const Project& project, const FidelityOptions& options);

}  // namespace lab::tools
