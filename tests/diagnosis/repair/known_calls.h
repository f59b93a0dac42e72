// Calls of the solutions' kernels, each in several shapes.
#pragma once

#include <string>
#include <vector>

#include "tests/diagnosis/repair/failed_call.h"

namespace lab::repair {

struct KnownKernel {
    std::string name;
    std::string instance;  // in the mangled name; "" where the kernel is no template
    std::vector<CallOf> calls;
};

[[nodiscard]] const std::vector<KnownKernel>& known_kernels();
[[nodiscard]] const KnownKernel& known_kernel(const std::string& name);

}  // namespace lab::repair
