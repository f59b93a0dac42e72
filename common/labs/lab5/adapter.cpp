// Lab 5's kernels, as the suite calls them: each by its own name, with nx, ny, block_x and block_y (0: the kernel's own block).
#include <utility>

#include "common/labs/lab5/lab5.h"
#include "common/runner/transposition.h"

namespace lab::runner {
namespace {

void call_kernel(Invocation& invocation, TransposeKernel kernel) {
    call_transposition(invocation, {0, 0}, [kernel](dim3 block, const float* in, float* out, int nx, int ny) {
        return launch_transpose(kernel, block, out, in, nx, ny);
    });
}

struct RegisterAll {
    RegisterAll() {
        for (const auto& [name, kernel] : {std::pair{"copy_row", TransposeKernel::copy_row},
                                           {"copy_col", TransposeKernel::copy_col},
                                           {"naive_row", TransposeKernel::naive_row},
                                           {"naive_col", TransposeKernel::naive_col},
                                           {"unroll4_row", TransposeKernel::unroll4_row},
                                           {"unroll4_col", TransposeKernel::unroll4_col},
                                           {"smem", TransposeKernel::smem},
                                           {"smem_pad", TransposeKernel::smem_pad},
                                           {"smem_unroll_pad", TransposeKernel::smem_unroll_pad}}) {
            const TransposeKernel which = kernel;
            const Register one(name, [which](Invocation& invocation) { call_kernel(invocation, which); });
        }
    }
};
const RegisterAll all;

}  // namespace
}  // namespace lab::runner
