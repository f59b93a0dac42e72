// Occupancy as tables, curves and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/emulator/devices/occupancy.h"

namespace lab::tools {

// A kernel, or figures by hand, at one block size.
struct OccupancyCase {
    std::string kernel;  // "" by hand
    std::string registers_from;
    devices::KernelNeeds needs;
    devices::Occupancy found;
};

// "threads", or "threads and registers": all resources that allow no more blocks than there are.
[[nodiscard]] std::string binding(const devices::Occupancy& found);

[[nodiscard]] std::string limits_line(const devices::Device& device);
// One case in full: what a block takes, what the SM has, how many blocks fit.
[[nodiscard]] std::string detail(const devices::Device& device, const OccupancyCase& shown);
// One line a case.
[[nodiscard]] std::string table(const std::vector<OccupancyCase>& cases);
// Occupancy over the block size, the registers and the shared memory, each with the other two as they are.
[[nodiscard]] std::string curves(const devices::Device& device, const devices::KernelNeeds& needs);

[[nodiscard]] nlohmann::ordered_json to_json(const devices::Device& device);
[[nodiscard]] nlohmann::ordered_json to_json(const OccupancyCase& shown);
[[nodiscard]] nlohmann::ordered_json curves_to_json(const devices::Device& device, const devices::KernelNeeds& needs);

}  // namespace lab::tools
