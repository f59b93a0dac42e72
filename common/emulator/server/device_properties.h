// A device as cudaGetDeviceProperties and cudaDeviceGetAttribute describe it.
#pragma once

#include <optional>

#include "common/emulator/client/include/cuda_runtime_api.h"
#include "common/emulator/devices/device.h"

namespace lab::cuda {

[[nodiscard]] cudaDeviceProp properties_of(const devices::Device& device);
// Value of the attribute; nothing for an attribute that doesn't exist.
[[nodiscard]] std::optional<int> attribute_of(const devices::Device& device, cudaDeviceAttr attribute);

}  // namespace lab::cuda
