// Lab 99's kernel: one thread an element, blocks in one dimension.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab99 {
namespace {

// The size is that of a matrix: n is the number of its elements.
UsefulWork addition_work(Size size, double element_bytes) { return {size.count(), 3 * size.count() * element_bytes}; }

StudyCall addition(Size size, BlockShape block) {
    const int n = size.x * size.y;
    const int threads = block.x * block.y;
    const auto count = static_cast<std::uint64_t>(n);
    return {{{"n", n}, {"threads", threads}, {"blocks", (n + threads - 1) / threads}},
            {{"a", count, false}, {"b", count, false}, {"c", count, true}}};
}

std::vector<StudyKernel> kernels() {
    StudyKernel kernel;
    kernel.lab = "lab99";
    kernel.name = "vector_add";
    kernel.usual_size = {1024, 1024};
    kernel.is_square = false;
    kernel.usual_block = {256, 1};
    kernel.blocks.only = {{32, 1}, {64, 1}, {128, 1}, {256, 1}, {512, 1}, {1024, 1}};
    kernel.work = addition_work;
    kernel.call = addition;
    return {kernel};
}

const AddKernels added(kernels());

}  // namespace
}  // namespace lab::tools::lab99
