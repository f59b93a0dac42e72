// Lab 2's kernels: one thread an element of P, blocks of any shape.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab2 {
namespace {

std::vector<StudyArray> square_product(Size size) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{"M", count, false}, {"N", count, false}, {"P", count, true}};
}

int blocks_for(int elements, int threads) { return (elements + threads - 1) / threads; }

StudyCall along_rows(Size size, BlockShape block) {
    return {{{"W", size.x},
             {"block_x", block.x},
             {"block_y", block.y},
             {"grid_x", blocks_for(size.x, block.x)},
             {"grid_y", blocks_for(size.y, block.y)}},
            square_product(size)};
}

std::vector<StudyKernel> kernels() {
    StudyKernel global;
    global.lab = "lab2";
    global.name = "matmul_global";
    global.usual_size = {512, 512};
    global.usual_block = {16, 16};
    global.work = square_product_work;
    global.call = along_rows;  // a square matrix: x along rows or columns, the grid is the same
    StudyKernel x_rows = global;
    x_rows.name = "matmul_global_x_rows";
    global.demo_step = DemoStep::global_product;
    return {global, x_rows};
}

const AddKernels added(kernels());

}  // namespace
}  // namespace lab::tools::lab2
