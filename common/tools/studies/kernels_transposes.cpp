// The transposes of labs 5 and 6: each element read once and written once.
#include "common/tools/studies/study_kernel.h"

namespace lab::tools {
namespace {

UsefulWork transpose_work(Size size, double element_bytes) { return {0, 2 * size.count() * element_bytes}; }

StudyCall transpose(Size size, BlockShape block) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{{"nx", size.x}, {"ny", size.y}, {"block_x", block.x}, {"block_y", block.y}}, {{"in", count, false}, {"out", count, true}}};
}

// For kernels with one block shape, which their runners call 0 x 0.
StudyCall transpose_in_its_block(Size size, BlockShape /*that one*/) { return transpose(size, {0, 0}); }

StudyKernel transposition(const char* lab, const char* name) {
    StudyKernel kernel;
    kernel.lab = lab;
    kernel.name = name;
    kernel.usual_size = {2048, 2048};
    kernel.is_square = false;
    kernel.usual_block = {16, 16};
    kernel.work = transpose_work;
    kernel.call = transpose;
    return kernel;
}

// A tile of 32 x 32 that 32 x 8 threads move.
StudyKernel tiled(const char* lab, const char* name) {
    StudyKernel kernel = transposition(lab, name);
    kernel.usual_block = {32, 8};
    kernel.blocks.only = {{32, 8}};
    kernel.call = transpose_in_its_block;
    return kernel;
}

}  // namespace

std::vector<StudyKernel> lab5_kernels() {
    std::vector<StudyKernel> kernels;
    for (const char* const name : {"copy_row", "copy_col", "naive_row", "naive_col", "unroll4_row", "unroll4_col"}) {
        kernels.push_back(transposition("lab5", name));
    }
    kernels.push_back(tiled("lab5", "smem"));
    kernels.push_back(tiled("lab5", "smem_pad"));
    StudyKernel unrolled = transposition("lab5", "smem_unroll_pad");
    unrolled.usual_block = {32, 8};
    kernels.push_back(unrolled);
    return kernels;
}

std::vector<StudyKernel> lab6_kernels() {
    return {transposition("lab6", "diagonal_row"), transposition("lab6", "diagonal_col"), tiled("lab6", "diagonal_smem_pad")};
}

}  // namespace lab::tools
