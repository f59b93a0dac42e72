// Lab 1's functions, with which `lab demo` compares kernels.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools::lab1 {
namespace {

StudyCall product(Size size, BlockShape /*none*/) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{{"rows", size.y}, {"inner", size.x}, {"cols", size.x}}, {{"M", count, false}, {"N", count, false}, {"P", count, true}}};
}

StudyCall transpose(Size size, BlockShape /*none*/) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{{"rows", size.y}, {"cols", size.x}}, {{"in", count, false}, {"out", count, true}}};
}

std::vector<StudyKernel> functions() {
    StudyKernel ijk;
    ijk.lab = "lab1";
    ijk.name = "matmul_ijk";
    ijk.is_on_host = true;
    ijk.work = square_product_work;
    ijk.call = product;
    ijk.demo_step = DemoStep::cpu_product;
    StudyKernel transposition = ijk;
    transposition.name = "transpose";
    transposition.work = transpose_work;
    transposition.call = transpose;
    transposition.demo_step = DemoStep::cpu_transpose;
    return {ijk, transposition};
}

const AddKernels added(functions());

}  // namespace
}  // namespace lab::tools::lab1
