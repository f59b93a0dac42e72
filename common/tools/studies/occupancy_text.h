// Occupancy as tables, curves and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/emulator/devices/occupancy.h"

namespace lab::tools {

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
