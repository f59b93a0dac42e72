// Registers the cartesian kernels in lab 6's reference runner.
#include "common/labs/lab6/baseline.h"

#include "common/runner/transposition.h"

namespace lab::runner {
namespace {

const Register row("cartesian_row", [](Invocation& invocation) { call_transposition(invocation, {16, 16}, launch_cartesian_row); });
const Register col("cartesian_col", [](Invocation& invocation) { call_transposition(invocation, {16, 16}, launch_cartesian_col); });
const Register smem_pad("cartesian_smem_pad", [](Invocation& invocation) { call_transposition(invocation, launch_cartesian_smem_pad); });

}  // namespace
}  // namespace lab::runner
