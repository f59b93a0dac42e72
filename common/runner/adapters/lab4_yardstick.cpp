// Makes lab 4's slow kernels known to the reference runner.
#include "common/runner/adapters/lab4_yardstick.h"

#include "common/runner/adapters/lab4_product.h"

namespace lab::runner {
namespace {

const Register untiled = product("matmul_any_untiled", launch_matmul_any_untiled);
const Register scattered = product("matmul_constant_scattered", launch_matmul_constant_scattered);

}  // namespace
}  // namespace lab::runner
