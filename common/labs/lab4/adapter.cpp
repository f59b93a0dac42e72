// Lab 4's functions, in the form that the suite calls.
#include <functional>

#include "common/api/lab4.h"
#include "common/labs/lab4/product.h"
#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

using Launch = std::function<cudaError_t(const float* A, const float* x, float* y, int rows, int cols)>;

void call_matvec(Invocation& invocation, const Launch& launch) {
    const int rows = invocation.integer("rows");
    const int cols = invocation.integer("cols");
    DeviceArrays arrays(invocation);
    const auto* A = arrays.data<const float>("A");
    const auto* x = arrays.data<const float>("x");
    auto* y = arrays.data<float>("y");
    arrays.call([&] { return static_cast<int>(launch(A, x, y, rows, cols)); });
}

using LaunchInBlocks = cudaError_t (*)(int block, const float* A, const float* x, float* y, int rows, int cols);

Register in_blocks(const char* name, LaunchInBlocks launch) {
    return {name, [launch](Invocation& invocation) {
                const int block = invocation.integer("block");
                call_matvec(invocation, [=](const float* A, const float* x, float* y, int rows, int cols) {
                    return launch(block, A, x, y, rows, cols);
                });
            }};
}

const Register matvec_static = in_blocks("matvec_static", launch_matvec_static);
const Register matvec_dynamic = in_blocks("matvec_dynamic", launch_matvec_dynamic);
const Register matvec_any = in_blocks("matvec_any", launch_matvec_any);
const Register matmul_any = product("matmul_any", launch_matmul_any);
const Register matvec_constant("matvec_constant", [](Invocation& invocation) { call_matvec(invocation, launch_matvec_constant); });
const Register matmul_constant = product("matmul_constant", launch_matmul_constant);

const Register mapped("matvec_mapped", [](Invocation& invocation) {
    const auto* A = invocation.data<const float>("A");
    const auto* x = invocation.data<const float>("x");
    auto* y = invocation.data<float>("y");
    const int rows = invocation.integer("rows");
    const int cols = invocation.integer("cols");
    invocation.call([&] { return static_cast<int>(matvec_mapped(A, x, y, rows, cols)); });
});

}  // namespace
}  // namespace lab::runner
