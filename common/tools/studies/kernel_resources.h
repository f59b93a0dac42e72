// Resources of an SM that the kernels of a .cu file need: shared memory from their PTX, registers from ptxas.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct KernelResources {
    std::string mangled;
    std::string name;                        // "matmul_tiled<16, float>"
    std::uint32_t static_shared = 0;         // bytes a block
    std::uint32_t max_threads = 0;           // per block, by __launch_bounds__; 0: not given
    std::optional<std::uint32_t> registers;  // a thread
};

// The kernels of a PTX text, in its order, without registers. Throws ptx::Error.
[[nodiscard]] std::vector<KernelResources> kernels_in(const std::string& ptx);

// Compiles the kernels of a file to PTX: with clang in the emulator's build, else with nvcc. If `capability` ("9.0") is given, ptxas
// compiles it to SASS and reports the registers. Throws BadInput for compile errors, a missing ptxas, and an unknown compute capability.
[[nodiscard]] std::vector<KernelResources> kernels_of(const Project& project, const std::filesystem::path& file,
                                                      const std::optional<std::string>& capability);

// The kernels named `name`, with or without template arguments and namespaces. All for "". Throws BadInput that names `file` if there is
// none.
[[nodiscard]] std::vector<KernelResources> select(const std::vector<KernelResources>& kernels, const std::string& name,
                                                  const std::string& file);

}  // namespace lab::tools
