// `lab test`: the project's tests, part by part, in two tiers, with one closing line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/tools/progress.h"
#include "common/tools/project.h"

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

}  // namespace lab::tools
