// Lab 4's kernels: matrix times vector, column-major, in square blocks; matrix products of any shape in their own blocks.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab4 {
namespace {

constexpr int max_block = 32;

std::uint64_t product_of(int a, int b) { return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b); }

// A has y rows and x columns.
UsefulWork matvec_work(Size size, double element_bytes) { return {2 * size.count(), (size.count() + size.x + size.y) * element_bytes}; }

StudyCall matvec(Size size, BlockShape block) {
    return {{{"rows", size.y}, {"cols", size.x}, {"block", block.x}},
            {{"A", product_of(size.x, size.y), false}, {"x", product_of(size.x, 1), false}, {"y", product_of(size.y, 1), true}}};
}

// C has y rows and x columns; each of its elements is a sum of y products.
UsefulWork matmul_work(Size size, double element_bytes) {
    const double rows = size.y;
    return {2 * size.count() * rows, (2 * size.count() + rows * rows) * element_bytes};
}

StudyCall matmul(Size size, BlockShape /*its own*/) {
    return {{{"m", size.y}, {"n", size.x}, {"k", size.y}},
            {{"A", product_of(size.y, size.y), false}, {"B", product_of(size.y, size.x), false}, {"C", product_of(size.y, size.x), true}}};
}

std::vector<StudyKernel> kernels() {
    StudyKernel of_vector;
    of_vector.lab = "lab4";
    of_vector.is_square = false;
    of_vector.usual_size = {2048, 2048};
    of_vector.usual_block = {16, 16};
    of_vector.work = matvec_work;
    of_vector.call = matvec;
    StudyKernel fixed = of_vector;
    fixed.name = "matvec_static";
    fixed.blocks.only = {{8, 8}, {16, 16}, {32, 32}};
    fixed.blocks.divides_size = true;
    StudyKernel dynamic = fixed;
    dynamic.name = "matvec_dynamic";
    dynamic.blocks.only.clear();
    for (int side = 1; side <= max_block; ++side) dynamic.blocks.only.push_back({side, side});
    StudyKernel any = dynamic;
    any.name = "matvec_any";
    any.blocks.divides_size = false;
    StudyKernel constant = of_vector;
    constant.name = "matvec_constant";
    constant.blocks.is_own = true;
    StudyKernel product = constant;
    product.name = "matmul_any";
    product.usual_size = {512, 512};
    product.work = matmul_work;
    product.call = matmul;
    StudyKernel in_bands = product;
    in_bands.name = "matmul_constant";
    return {fixed, dynamic, any, constant, product, in_bands};
}

const AddKernels added(kernels());

}  // namespace
}  // namespace lab::tools::lab4
