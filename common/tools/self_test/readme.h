// The commands that README.md and the handouts show, run as a reader would; and their links.
#pragma once

#include <filesystem>

#include "common/tools/self_test/self_test.h"

namespace lab::tools {

struct ReadmeCommand {
    std::string line;
    bool may_lose_points = false;  // grades labs/ as shipped: a status of "points lost" is what it should give
    bool needs_gpu = false;
    bool takes_minutes = false;
    bool is_run_elsewhere = false;  // `./lab test` itself, which is running, and what the part unit runs and judges (MeasuredRows)
    std::string added{};            // switches without which it would not end, or would change a student's files
};

// The lines of the text's ```sh blocks.
[[nodiscard]] std::vector<ReadmeCommand> commands_in(const std::string& markdown);

// What is checked of a command that is not run: that its script parses, or that its subcommand exists (--help, which does not
// look at the other options).
[[nodiscard]] std::string stand_in(const std::string& line);

// The targets of links to files that aren't there. `folder` is the document's.
[[nodiscard]] std::vector<std::string> dead_links(const std::string& markdown, const std::filesystem::path& folder);

// In the contributor's tier looks at links only. In the full one runs each command of README.md, handouts/*.md and .github/*.md once, in a
// fresh shell each, with what has to be added to it. Those for a GPU, where there is none, and those that take minutes count as not run,
// and fail if their stand-in does.
[[nodiscard]] PartResult check_readme(const PartRun& part);

}  // namespace lab::tools
