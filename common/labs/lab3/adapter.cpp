// Lab 3's functions, in the form that the suite calls.
#include "common/api/lab3.h"
#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

template <typename T>
void call_tiled(Invocation& invocation) {
    const int tile = invocation.integer("tile");
    const int W = invocation.integer("W");
    DeviceArrays arrays(invocation);
    const auto* M = arrays.data<const T>("M");
    const auto* N = arrays.data<const T>("N");
    auto* P = arrays.data<T>("P");
    arrays.call([&] { return static_cast<int>(launch_matmul_tiled(tile, M, N, P, W)); });
}

const Register tiled("matmul_tiled", [](Invocation& invocation) {
    invocation.is_double() ? call_tiled<double>(invocation) : call_tiled<float>(invocation);
});

}  // namespace
}  // namespace lab::runner
