// The student's calls of the real CUDA runtime, led past the spy by the linker's --wrap (see CMakeLists.txt). Its cudaMalloc has
// guard zones, since nothing else on a GPU sees what a kernel writes beside its arrays.
#pragma once

#include <nlohmann/json.hpp>

namespace lab::runner {

// The damage of guard zones since the last call: of those that were freed meanwhile and of those that are still there.
[[nodiscard]] nlohmann::json take_guard_writes();

}  // namespace lab::runner
