// Lab 3's kernel, whose blocks are its tiles, and the baselines of its reference runner.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab3 {
namespace {

StudyCall tiled(Size size, BlockShape block) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{{"W", size.x}, {"tile", block.x}}, {{"M", count, false}, {"N", count, false}, {"P", count, true}}};
}

std::vector<StudyKernel> kernels() {
    StudyKernel kernel;
    kernel.lab = "lab3";
    kernel.name = "matmul_tiled";
    kernel.usual_size = {512, 512};
    kernel.takes_double = true;
    kernel.usual_block = {32, 32};
    kernel.blocks = {{{16, 16}, {25, 25}, {32, 32}}, true};
    kernel.work = square_product_work;
    kernel.call = tiled;
    StudyKernel untiled = kernel;
    untiled.name = "matmul_untiled";
    untiled.takes_double = false;
    untiled.is_in_reference_only = true;
    untiled.blocks = {{{32, 32}}, true};
    StudyKernel conflicting = untiled;
    conflicting.name = "matmul_conflicting";
    kernel.demo_step = DemoStep::tiled_product;
    return {kernel, untiled, conflicting};
}

const AddKernels added(kernels());

}  // namespace
}  // namespace lab::tools::lab3
