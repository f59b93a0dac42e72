// `lab bench`: the project's own measurements (Google Benchmark).
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct BenchOptions {
    std::string filter;
    std::string json;
};

[[nodiscard]] int bench(const Project& project, const BenchOptions& options);

}  // namespace lab::tools
