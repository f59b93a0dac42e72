// `lab test`: the project's tests, part by part, in two tiers, with one closing line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/process.h"
#include "common/tools/project.h"
#include "common/tools/terminal.h"

namespace lab::tools {

struct SelfTestOptions {
    std::vector<std::string> names;  // single tests instead, by name, selected as by `ctest -R`
    std::string only;                // parts' names, with commas between
    bool full = false;
    int quarter = 0;  // in the full tier, of what is many and alike (quarter.h); 0: all
    bool list = false;
};

// Result of one part. A test that was not run never counts as passed.
struct PartResult {
    int passed = 0;
    int failed = 0;
    int not_run = 0;
    std::string text;  // failures with reasons, or the reason why something was not run
    double seconds = 0;
    double cpu_seconds = 0;  // with all that it started
};
[[nodiscard]] PartResult operator+(const PartResult& a, const PartResult& b);

// The contributor's tier runs before each commit. The full tier adds what takes long: repetitions, mutants made by machine, other
// compilers, sanitizers, lint over everything, the commands of README and handouts, measured rows.
struct PartRun {
    const Project& project;
    Progress& progress;
    bool is_full = false;
    int quarter = 0;  // 0: all
};

struct Part {
    std::string name;
    std::string what;
    bool is_full_only = false;
    std::function<PartResult(const PartRun&)> run;
};

[[nodiscard]] std::vector<Part> all_parts();

// A row of the closing table: counts and times.
[[nodiscard]] std::string table_row(const std::string& name, const PartResult& result);

// Runs single tests and shows their output. Returns ctest's own status. Throws BadInput, with suggestions, for a name that no test has.
[[nodiscard]] int run_single_tests(const Project& project, const std::vector<std::string>& names);

// Returns 0 if nothing failed. Throws BadInput for an unknown part or test.
[[nodiscard]] int self_test(const Project& project, const SelfTestOptions& options);

// One test per file that git tracks (or would track).
[[nodiscard]] PartResult check_format(const PartRun& part);

// One test per translation unit. A unit is checked again only after a change of a file that it reads, or of the configuration.
[[nodiscard]] PartResult check_tidy(const PartRun& part);

// Object files, in a configured folder, of the batches that have changed and of this quarter's.
[[nodiscard]] std::vector<std::string> objects_of_quarter(const PartRun& part, const std::filesystem::path& folder);

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
