// Only in lab 5's reference runner: the device-to-device copy that the best kernel's bandwidth is compared with on a GPU. The emulator
// models times of launches only, not of this copy.
#include <cuda_runtime.h>

#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

const Register device_copy("device_copy", [](Invocation& invocation) {
    DeviceArrays arrays(invocation);
    const auto* in = arrays.data<const float>("in");
    auto* out = arrays.data<float>("out");
    const std::size_t bytes = invocation.buffer("in").bytes();
    arrays.call([&] { return static_cast<int>(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); });
});

}  // namespace
}  // namespace lab::runner
