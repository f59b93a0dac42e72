// `lab reset`: restores a lab's file as shipped, keeping the student's beside it.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct ResetOptions {
    std::string lab;
    bool dry_run = false;  // only print what would be done
};

// Returns 0. Throws BadInput; the student's file is then unchanged.
[[nodiscard]] int reset(const Project& project, const ResetOptions& options);

}  // namespace lab::tools
