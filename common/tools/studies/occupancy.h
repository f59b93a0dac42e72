// `lab occupancy`: resident blocks of an SM, and the limiting resource; for given figures or for kernels.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/devices/occupancy.h"
#include "common/tools/project.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct OccupancyOptions : StudyFiles {
    std::string subject;  // a lab, or a .cu file; "": figures by hand
    std::string kernel;   // "": all of the subject's
    bool is_solution = false;
    // As given by the user, checked here. Shared memory: a block's; with a kernel, the dynamic part.
    std::optional<std::int64_t> threads, registers, shared;
    std::string device, capability;  // one of them, or the H100
    bool draws_curves = false;
};

// Returns 0; throws BadInput.
[[nodiscard]] int occupancy(const Project& project, const OccupancyOptions& options);

// A kernel, or given figures, at one block size.
struct OccupancyCase {
    std::string kernel;  // "" by hand
    std::string registers_from;
    devices::KernelNeeds needs;
    devices::Occupancy found;
};

// "threads", or "threads and registers": all resources that limit the number of blocks.
[[nodiscard]] std::string binding(const devices::Occupancy& found);

[[nodiscard]] std::string limits_line(const devices::Device& device);
// One case in full: resources of a block, resources of the SM, number of blocks that fit.
[[nodiscard]] std::string detail(const devices::Device& device, const OccupancyCase& shown);
// One line a case.
[[nodiscard]] std::string table(const std::vector<OccupancyCase>& cases);
// Occupancy over block size, registers and shared memory, varied one at a time.
[[nodiscard]] std::string curves(const devices::Device& device, const devices::KernelNeeds& needs);

[[nodiscard]] nlohmann::ordered_json to_json(const devices::Device& device);
[[nodiscard]] nlohmann::ordered_json to_json(const OccupancyCase& shown);
[[nodiscard]] nlohmann::ordered_json curves_to_json(const devices::Device& device, const devices::KernelNeeds& needs);

}  // namespace lab::tools
