// Registers lab 3's slow kernels in the reference runner.
#include "common/labs/lab3/baseline.h"

#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

using Launch = cudaError_t (*)(const float*, const float*, float*, int);

void call_slow(Invocation& invocation, Launch launch) {
    const int W = invocation.integer("W");
    DeviceArrays arrays(invocation);
    const auto* M = arrays.data<const float>("M");
    const auto* N = arrays.data<const float>("N");
    auto* P = arrays.data<float>("P");
    arrays.call([&] { return static_cast<int>(launch(M, N, P, W)); });
}

const Register untiled("matmul_untiled", [](Invocation& invocation) { call_slow(invocation, launch_untiled); });
const Register conflicting("matmul_conflicting", [](Invocation& invocation) { call_slow(invocation, launch_conflicting); });

}  // namespace
}  // namespace lab::runner
