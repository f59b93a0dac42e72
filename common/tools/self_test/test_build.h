// Builds and ctest runs of the parts of `lab test`, with progress.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/process.h"
#include "common/tools/self_test/self_test.h"

namespace lab::tools {

using Environment = std::vector<std::pair<std::string, std::string>>;

// The last `count` lines of a text.
[[nodiscard]] std::string last_lines(const std::string& text, std::size_t count);

// Result of a step that either succeeds or fails.
[[nodiscard]] PartResult judge(const Ending& ending, const std::string& what);

// Builds `targets` in `folder` with Ninja, as many as possible.
[[nodiscard]] PartResult build(const PartRun& run, const std::filesystem::path& folder, const std::vector<std::string>& targets = {});

// Runs the tests that ctest's options `selection` select. Counts are ctest's own, so that a run without tests fails.
[[nodiscard]] PartResult ctest(const PartRun& run, const std::filesystem::path& folder, const std::vector<std::string>& selection,
                               const Environment& environment = {});

// Configures the whole project with all its tests, in its own build folder.
[[nodiscard]] PartResult configure(const PartRun& run, const std::filesystem::path& folder, const std::vector<std::string>& options,
                                   const Environment& environment = {});

}  // namespace lab::tools
