// `lab occupancy`: resident blocks of an SM, and the limiting resource; for given figures or for kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct OccupancyOptions {
    std::string subject;  // a lab, or a .cu file; "": figures by hand
    std::string kernel;   // "": all of the subject's
    bool is_solution = false;
    // As given by the user, checked here. Shared memory: a block's; with a kernel, the dynamic part.
    std::optional<std::int64_t> threads, registers, shared;
    std::string device, capability;  // one of them, or the H100
    bool draws_curves = false;
    std::string json, svg;
};

// Returns 0; throws BadInput.
[[nodiscard]] int occupancy(const Project& project, const OccupancyOptions& options);

}  // namespace lab::tools
