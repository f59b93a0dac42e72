// Lab 5's kernels, in the form that the suite calls: each by name, with nx, ny, block_x and block_y (0: the kernel's own block).
#include "common/labs/lab5/names.h"
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
        for (const NamedTranspose& each : all_transposes) {
            const TransposeKernel kernel = each.kernel;
            const Register one(each.name, [kernel](Invocation& invocation) { call_kernel(invocation, kernel); });
        }
    }
};
const RegisterAll all;

}  // namespace
}  // namespace lab::runner
