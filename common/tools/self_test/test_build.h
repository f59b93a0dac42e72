// Builds and runs of ctest for the parts of `lab test`, which show how far they are.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/process.h"
#include "common/tools/self_test/self_test.h"

namespace lab::tools {

using Environment = std::vector<std::pair<std::string, std::string>>;

// The end of a text: its last `count` lines.
[[nodiscard]] std::string last_lines(const std::string& text, std::size_t count);

// One thing that either works or not.
[[nodiscard]] PartResult judge(const Ending& ending, const std::string& what);

// Has Ninja build `targets` in `folder`, as many as it can.
[[nodiscard]] PartResult build(const PartRun& run, const std::filesystem::path& folder, const std::vector<std::string>& targets = {});

// Runs the tests that ctest's options `selection` choose. Counts are ctest's own, so that a run that found no tests fails.
[[nodiscard]] PartResult ctest(const PartRun& run, const std::filesystem::path& folder, const std::vector<std::string>& selection,
                               const Environment& environment = {});

// The whole project with all its tests, in a build folder of its own.
[[nodiscard]] PartResult configure(const PartRun& run, const std::filesystem::path& folder, const std::vector<std::string>& options,
                                   const Environment& environment = {});

}  // namespace lab::tools
