// Lab 6's kernels: transposes with blocks in diagonal order.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab6 {
namespace {

std::vector<StudyKernel> kernels() {
    StudyKernel padded = tile_transposing_kernel("lab6", "diagonal_smem_pad");
    padded.demo_step = DemoStep::diagonal;
    return {transposing_kernel("lab6", "diagonal_row"), transposing_kernel("lab6", "diagonal_col"), padded};
}

const AddKernels added(kernels());

}  // namespace
}  // namespace lab::tools::lab6
