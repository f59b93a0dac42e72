// `lab occupancy`: how many blocks an SM holds at a time, and which resource says so; for figures by hand or for kernels.
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
    // As the user wrote them, checked here. Shared memory: a block's; with a kernel, what is added to its static part.
    std::optional<std::int64_t> threads, registers, shared;
    std::string device, capability;  // one of them, or the H100
    bool draws_curves = false;
    std::string json, svg;
};

// 0; throws BadInput.
[[nodiscard]] int occupancy(const Project& project, const OccupancyOptions& options);

}  // namespace lab::tools
