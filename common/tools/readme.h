// The README's commands, run as a reader would.
#pragma once

#include "common/tools/self_test.h"

namespace lab::tools {

struct ReadmeCommand {
    std::string line;
    bool may_lose_points = false;  // grades labs/ as shipped: a status of "points lost" is what it should give
    bool needs_gpu = false;
    bool is_this_test = false;  // `./lab test` itself, which is running
};

// The lines of the text's ```sh blocks.
[[nodiscard]] std::vector<ReadmeCommand> commands_in(const std::string& markdown);

[[nodiscard]] PartResult check_readme(const Project& project);

}  // namespace lab::tools
