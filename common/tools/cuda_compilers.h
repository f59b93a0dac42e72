// The compilers of a CUDA source: a pass of clang with the attributes that nvcc infers and clang demands; kernels from nvcc.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/tools/process.h"

namespace lab::tools {

// Changes the commands that build a program such that its kernels are those of `ptx`: "nvcc" compiles the same source with
// the CUDA toolkit's compiler (for compute capability 9.0, with line numbers), anything else is a file of PTX made of the same
// source. clang still makes the host code, so kernels must have the same mangled names; only those in anonymous namespaces
// don't. Throws BadInput when there is no nvcc or no such file.
void take_kernels_from(const std::string& ptx, std::vector<Command>* commands);

// Path of a program of the installed CUDA toolkit ("nvcc", "ptxas"): on PATH, else in CUDA_HOME or CUDA_PATH, else, if neither is set, in
// /usr/local/cuda. "" if there is none.
[[nodiscard]] std::string find_in_toolkit(const std::string& program);

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
