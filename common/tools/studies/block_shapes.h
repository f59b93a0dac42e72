// Which block shapes a kernel can be launched with on a device.
#pragma once

#include <vector>

#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_kernel.h"

namespace lab::tools {

// All that a sweep tries. For a kernel that takes any shape: powers of two in both directions, from one warp to the most
// threads that a block may have, as the source texts' studies of thread geometry have them. May be empty.
[[nodiscard]] std::vector<BlockShape> legal_blocks(const StudyKernel& kernel, Size size, const StudyDevice& device);

// Throws BadInput, naming the legal ones, where the kernel can't have this shape. `option` is what it was given by.
void check_block(const StudyKernel& kernel, BlockShape block, Size size, const StudyDevice& device, const std::string& option);

// The block that is meant by --block; the usual one, or the first legal one, where that is "".
[[nodiscard]] BlockShape block_for(const StudyKernel& kernel, const std::string& text, Size size, const StudyDevice& device);

}  // namespace lab::tools
