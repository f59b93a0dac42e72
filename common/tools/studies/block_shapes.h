// Block shapes with which a kernel can be launched on a device.
#pragma once

#include <vector>

#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_kernel.h"

namespace lab::tools {

// All shapes that a sweep tries. For a kernel that takes any shape: powers of two in both directions, from one warp to the maximum of
// threads per block, like the source texts' studies of thread geometry. May be empty.
[[nodiscard]] std::vector<BlockShape> legal_blocks(const StudyKernel& kernel, Size size, const StudyDevice& device);

// Throws BadInput, naming the legal ones, if the kernel can't have this shape. `option`: the option that gave it.
void check_block(const StudyKernel& kernel, BlockShape block, Size size, const StudyDevice& device, const std::string& option);

// The block of --block; for "" the usual one, or the first legal one.
[[nodiscard]] BlockShape block_for(const StudyKernel& kernel, const std::string& text, Size size, const StudyDevice& device);

}  // namespace lab::tools
