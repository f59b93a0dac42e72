// One pass of clang over a CUDA source, with the attributes of functions that nvcc infers and clang demands.
#pragma once

#include <map>
#include <string>

#include "common/tools/process.h"

namespace lab::tools {

// Edited text of the user's files, by path. Clang reads it in the files' place, by an overlay file system; paths and lines stay the user's.
using EditedFiles = std::map<std::string, std::string>;

// Runs a command of a recipe. A device or host pass that fails for want of attributes is run again with them inserted:
//  - A declaration has attributes that the definition does not repeat.
//  - Host pass: host code takes the address of a __device__ function, which gets an empty host body, as nvcc's.
//  - Host pass: device code calls what is __host__ in this pass alone, since __CUDA_ARCH__ chose its attributes. The device pass, which
//    came first, did not object.
// Launches whose brackets stand apart, "k << <1, 32 >> >()", are joined likewise.
[[nodiscard]] Ending run_pass(const Command& command, const std::string& source, const std::string& folder, EditedFiles* edited);

}  // namespace lab::tools
