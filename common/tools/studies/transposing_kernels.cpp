#include "common/tools/studies/transposing_kernels.h"

namespace lab::tools {
namespace {

StudyCall transpose(Size size, BlockShape block) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{{"nx", size.x}, {"ny", size.y}, {"block_x", block.x}, {"block_y", block.y}}, {{"in", count, false}, {"out", count, true}}};
}

// For kernels with one block shape, which their runners represent by 0 x 0.
StudyCall transpose_in_its_block(Size size, BlockShape /*that one*/) { return transpose(size, {0, 0}); }

}  // namespace

StudyKernel transposing_kernel(const std::string& lab, const std::string& name) {
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

StudyKernel tile_transposing_kernel(const std::string& lab, const std::string& name) {
    StudyKernel kernel = transposing_kernel(lab, name);
    kernel.usual_block = {32, 8};
    kernel.blocks.only = {{32, 8}};
    kernel.call = transpose_in_its_block;
    return kernel;
}

}  // namespace lab::tools
