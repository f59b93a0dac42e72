// lab-tool: the subcommands of `lab` that grade. The script `lab` installs and builds, then starts this program; other subcommands are in
// separate programs, built on first use.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "common/sandbox/sandbox.h"
#include "common/tools/command_line.h"
#include "common/tools/emulator_options.h"
#include "common/tools/errors.h"
#include "common/tools/subcommands.h"

namespace {

using namespace lab::tools;

struct Elsewhere {
    const char* program;
    std::array<const char*, 12> subcommands;
};
constexpr std::array<Elsewhere, 5> programs{{
    {"lab-study", {"run", "profile", "report", "sweep", "demo", "devices", "occupancy", "bandwidth", "latency", "counters", "docs"}},
    {"lab-class", {"class", "package"}},
    {"lab-figures", {"figures"}},
    {"lab-fidelity", {"fidelity"}},
    {"lab-self-test", {"test", "bench", "sample"}},
}};

const char* program_of(const std::string& subcommand) {
    for (const Elsewhere& elsewhere : programs) {
        const auto is_it = [&](const char* name) { return name != nullptr && name == subcommand; };
        if (std::any_of(elsewhere.subcommands.begin(), elsewhere.subcommands.end(), is_it)) return elsewhere.program;
    }
    return nullptr;
}

// Replaces this process by the program of that name. Returns only on failure.
int become(const std::string& program, char** words) {
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
    execv(path.c_str(), words);
    fmt::print(stderr, "lab: can't start {}: {} (./lab builds it; by hand: ninja {})\n", path.string(), std::strerror(errno), program);
    return exit_bad_input;
}

void describe_grade(CLI::App& app, GradeOptions& options) {
    app.add_option("LAB", options.labs, "labs by their name, number or folder; all if none is named");
    app.add_flag("--solutions", options.solutions, "grade the reference solutions in place of labs/");
    app.add_option("--from", options.from, "grade a folder laid out like labs/, or one lab's file, in place of labs/")
        ->type_name("DIR|FILE");
    app.add_option("--json", options.json, "write the scores there")->type_name("FILE");
    app.add_option("--summary", options.summary, "write labs, points and failures there as Markdown")->type_name("FILE");
    app.add_option("--report", options.report, "of one lab: write a page about the verdict and the kernels there")->type_name("FILE");
    add_device(app, options.device);
    app.add_option("--seed", options.seed, "of the random inputs, as a failure names it")->type_name("N");
    app.add_option("--course", options.course, "a course's settings, for its points; without it course.json here, if it is there")
        ->type_name("FILE");
    app.add_option("--filter", options.filter, "only the tests whose names match, '*' standing for anything")->type_name("PATTERN");
    app.add_option(
           "--sandbox", options.sandbox,
           "confine compiler and program: files of others (auto), always, never; or by namespaces, as another user, by landlock alone")
        ->type_name("always|auto|never")
        ->check([](const std::string& word) {
            std::vector<std::string> known{"auto", "always", "never"};
            known.insert(known.end(), lab::sandbox::strengths.begin(), lab::sandbox::strengths.end());
            if (std::find(known.begin(), known.end(), word) != known.end()) return std::string();
            return fmt::format("'{}' is unknown: give {}", word, fmt::join(known, ", "));
        });
    options.search_seconds = 5;
    app.add_option("--search", options.search_seconds, "processor time for the cause of a failure, 5 by default; 0: none is searched")
        ->type_name("SECONDS")
        ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
    app.add_flag("-v,--verbose", options.verbose, "show all failures, in full");
}

void describe_hint(CLI::App& app, HintOptions& options) {
    app.add_option("LAB", options.lab, "a lab by its name, number or folder");
    app.add_option("--test", options.test, "a hint for this failing test instead of the first one")->type_name("NAME");
    app.add_flag("--again", options.again, "show the hints given so far, and no new one");
}

void describe_watch(CLI::App& app, WatchOptions& options) {
    app.add_option("LAB", options.lab, "a lab by its name, number or folder");
    app.add_flag("--once", options.once, "grade, show the verdict, and end");
}

void describe_reset(CLI::App& app, ResetOptions& options) {
    app.add_option("LAB", options.lab, "a lab by its name, number or folder");
    app.add_flag("--dry-run", options.dry_run, "only say what would be done");
}

int dispatch(const std::vector<std::string>& words) {
    Commands commands;
    commands.add("grade", "Grade labs: build what changed, run the suites, show the points", describe_grade, grade);
    commands.add("hint", "Give the next hint for the first test that fails", describe_hint, hint);
    commands.add("watch", "Grade a lab again at every save, and show what changed", describe_watch, watch);
    commands.add("reset", "Put a lab's file back as it was shipped, keeping yours beside it", describe_reset, reset);
    return commands.run(words);
}

// Checks that output succeeded: the pipe may be closed, or the disk full.
int status_of_output(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    std::fprintf(stderr, "lab: the output can't be written: %s\n", std::strerror(errno));
    return exit_bad_input;
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> asked = words_of(count, words);
    const char* const program = asked.empty() ? nullptr : program_of(asked.front());
    return program != nullptr ? become(program, words) : status_of_output(dispatch(asked));
}
