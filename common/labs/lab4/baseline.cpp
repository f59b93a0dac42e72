// Registers lab 4's slow kernels in the reference runner.
#include "common/labs/lab4/baseline.h"

#include "common/labs/lab4/product.h"

namespace lab::runner {
namespace {

const Register untiled = product("matmul_any_untiled", launch_matmul_any_untiled);
const Register scattered = product("matmul_constant_scattered", launch_matmul_constant_scattered);

}  // namespace
}  // namespace lab::runner
