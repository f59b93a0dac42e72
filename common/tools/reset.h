// `lab reset`: puts a lab's file back as it was shipped, keeping the student's beside it.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct ResetOptions {
    std::string lab;
    bool dry_run = false;  // only say what would be done
};

// Returns 0. Throws BadInput; then the student's file is as it was.
[[nodiscard]] int reset(const Project& project, const ResetOptions& options);

}  // namespace lab::tools
