// Runs the commands of README.md and the handouts like a reader would, and checks their links.
#pragma once

#include <filesystem>

#include "common/tools/self_test/self_test.h"

namespace lab::tools {

struct ReadmeCommand {
    std::string line;
    bool may_lose_points = false;  // grades labs/ as shipped: a status of "points lost" is what it should give
    bool needs_gpu = false;
    bool takes_minutes = false;
    bool is_run_elsewhere = false;  // `./lab test` itself, which is running, and commands that the part unit runs (MeasuredRows, Package)
    std::string added{};            // options without which it would not end, or would change a student's files
};

// The lines of the text's ```sh blocks.
[[nodiscard]] std::vector<ReadmeCommand> commands_in(const std::string& markdown);

// Check of a command that is not run: that its script parses, or that its subcommand exists (--help, which ignores the other options).
[[nodiscard]] std::string stand_in(const std::string& line);

// Targets of links to missing files. `folder` is the document's.
[[nodiscard]] std::vector<std::string> dead_links(const std::string& markdown, const std::filesystem::path& folder);

// The contributor's tier checks links only. The full tier runs each command of README.md, handouts/*.md and .github/*.md once, each in a
// new shell, with its added options. Commands that need a missing GPU, or take minutes, count as not run, and fail if their stand-in does.
[[nodiscard]] PartResult check_readme(const PartRun& part);

}  // namespace lab::tools
