// Kernels from another compiler than clang for the emulator: `lab run --ptx`.
#pragma once

#include <string>
#include <vector>

#include "common/tools/process.h"

namespace lab::tools {

// Changes the commands that build a program such that its kernels are those of `ptx`: "nvcc" compiles the same source with
// the CUDA toolkit's compiler (for compute capability 9.0, with line numbers), anything else is a file of PTX made of the same
// source. clang still makes the host code, so kernels must have the same mangled names; only those in anonymous namespaces
// don't. Throws BadInput when there is no nvcc or no such file.
void take_kernels_from(const std::string& ptx, std::vector<Command>* commands);

}  // namespace lab::tools
