// Lab 2's functions, in the form that the suite calls.
#include "common/api/lab2.h"
#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

using Launch = cudaError_t (*)(dim3, dim3, const float*, const float*, float*, int);

void call_kernel(Invocation& invocation, Launch launch) {
    const auto size = [&](const char* name) { return static_cast<unsigned>(invocation.integer(name)); };
    const dim3 grid(size("grid_x"), size("grid_y"));
    const dim3 block(size("block_x"), size("block_y"));
    const int W = invocation.integer("W");
    DeviceArrays arrays(invocation);
    const auto* M = arrays.data<const float>("M");
    const auto* N = arrays.data<const float>("N");
    auto* P = arrays.data<float>("P");
    arrays.call([&] { return static_cast<int>(launch(grid, block, M, N, P, W)); });
}

const Register global("matmul_global", [](Invocation& invocation) { call_kernel(invocation, launch_matmul_global); });
const Register x_rows("matmul_global_x_rows", [](Invocation& invocation) { call_kernel(invocation, launch_matmul_global_x_rows); });

const Register on_device("matmul_on_device", [](Invocation& invocation) {
    const auto* M = invocation.data<const float>("M");
    const auto* N = invocation.data<const float>("N");
    auto* P = invocation.data<float>("P");
    const int W = invocation.integer("W");
    invocation.call([&] { return static_cast<int>(matmul_on_device(M, N, P, W)); });
});

const Register prediction("predicted_order", [](Invocation& invocation) {
    nlohmann::json order = nlohmann::json::array();
    for (const Geometry geometry : predicted_order) {
        order.push_back(static_cast<int>(geometry));
    }
    invocation.set("order", order);
});

}  // namespace
}  // namespace lab::runner
