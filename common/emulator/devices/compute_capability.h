// Properties common to all GPUs of one compute capability: the limits of an SM, and the allocation of its resources to blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/emulator/devices/device.h"

namespace lab::devices {

// A Device with those limits and no rates, to be completed by a device's file or used as it is for occupancy. Nothing for an unknown
// compute capability.
[[nodiscard]] std::optional<Device> limits_of(int major, int minor);
// The same by its usual spelling, "8.6".
[[nodiscard]] std::optional<Device> limits_of(const std::string& capability);

// All of them, "1.0" first.
[[nodiscard]] std::vector<std::string> known_capabilities();

}  // namespace lab::devices
