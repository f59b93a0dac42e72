// Lab 5's kernels: copies and transposes.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab5 {
namespace {

std::vector<StudyKernel> kernels() {
    std::vector<StudyKernel> all;
    for (const char* const name : {"copy_row", "copy_col", "naive_row", "naive_col", "unroll4_row", "unroll4_col"}) {
        all.push_back(transposing_kernel("lab5", name));
    }
    all.push_back(tile_transposing_kernel("lab5", "smem"));
    all.push_back(tile_transposing_kernel("lab5", "smem_pad"));
    StudyKernel unrolled = transposing_kernel("lab5", "smem_unroll_pad");
    unrolled.usual_block = {32, 8};
    all.push_back(unrolled);
    for (StudyKernel& kernel : all) {
        if (kernel.name == "copy_row") kernel.demo_step = DemoStep::copy;
        if (kernel.name == "naive_row") kernel.demo_step = DemoStep::naive;
        if (kernel.name == "smem") kernel.demo_step = DemoStep::coalesced;
        if (kernel.name == "smem_pad") kernel.demo_step = DemoStep::padded;
    }
    return all;
}

const AddKernels added(kernels());

}  // namespace
}  // namespace lab::tools::lab5
