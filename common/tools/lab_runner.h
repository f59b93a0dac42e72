// The program with a lab's code, built from the current file, for suites and studies.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/topic.h"
#include "common/tools/process.h"
#include "common/tools/project.h"
#include "common/tools/terminal.h"

namespace lab::tools {

// The user who waits for work on a lab: progress output and a way to stop.
struct Audience {
    Progress& progress;
    StopAsked stop_asked;  // ends the work early; none: it is never stopped
};

// A runner, or the reason why there is none.
struct Runner {
    std::filesystem::path program;
    std::string trouble;
    bool does_not_compile = false;
    bool stopped = false;
    bool is_undecided = false;            // the project's own part is at fault
    std::vector<std::string> warnings{};  // the compiler's, about the file
    std::set<diagnosis::Topic> topics{};  // of the trouble
};

// Warnings about `file` in what clang or nvcc printed, each once: "matmul_global.cu:78: variable 'sum' is uninitialized when used here".
[[nodiscard]] std::vector<std::string> warnings_in(const std::string& output, const std::filesystem::path& file);

// Ninja's output without its own messages: a student needs the compiler's text.
[[nodiscard]] std::string compiler_text(const Ending& build);

// Reason why a lab's `file` gave no program, from compiler and linker output: a mistake in it, or a problem of this machine. `who`: the
// file's owner, for a student.
[[nodiscard]] Runner no_runner(const std::string& who, const std::filesystem::path& file, const Ending& step);

// Builds these targets with Ninja, one build at a time in a folder, and shows progress. Nothing else of the tools starts builds.
[[nodiscard]] Ending build_targets(const std::filesystem::path& build, const std::vector<std::string>& targets, const Audience& audience);

// The program of a student's own runner, a target of the build or a recipe of the bundle.
[[nodiscard]] std::filesystem::path own_program(const Project& project, const std::string& target);

// The student's own runner for that device; a file saved during its compilation is compiled again.
[[nodiscard]] Runner build_own_runner(const Project& project, const Lab& lab, const std::string& device, const Audience& audience);

}  // namespace lab::tools
