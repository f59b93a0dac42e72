// `lab bench`: the project's own measurements (Google Benchmark).
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct BenchOptions {
    std::string filter;
    std::string json;
    bool strict = false;  // exit status 1 if a target isn't met
};

[[nodiscard]] int bench(const Project& project, const BenchOptions& options);

}  // namespace lab::tools
