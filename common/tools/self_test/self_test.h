// `lab test`: every test of the project, part by part, with one closing line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct SelfTestOptions {
    std::string only;  // one part's name
    bool list = false;
};

// What one part found. Nothing that was not run counts as passed.
struct PartResult {
    int passed = 0;
    int failed = 0;
    int not_run = 0;
    std::string text;  // what failed and why, or why something was not run
};

struct Part {
    std::string name;
    std::string what;
    std::function<PartResult(const Project&)> run;
};

[[nodiscard]] std::vector<Part> all_parts();

// Returns 0 when nothing failed. Throws BadInput for an unknown part.
[[nodiscard]] int self_test(const Project& project, const SelfTestOptions& options);

}  // namespace lab::tools
