// The program that holds a lab's code, built from the file as it is now: what suites call, and studies.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/grading/topic.h"
#include "common/tools/process.h"
#include "common/tools/progress.h"
#include "common/tools/project.h"

namespace lab::tools {

// What work on a lab has to do with whoever waits for it.
struct Audience {
    Progress& progress;
    StopAsked stop_asked;  // ends the work early; none: it runs to its end
};

// A runner to call, or none and why.
struct Runner {
    std::filesystem::path program;
    std::string trouble;
    bool does_not_compile = false;
    bool stopped = false;
    bool is_undecided = false;            // the project's own part is at fault
    std::vector<std::string> warnings{};  // the compiler's, about the file
    std::set<grading::Topic> topics{};    // of the trouble
};

// Warnings about `file` in what clang or nvcc printed, each once: "matmul_global.cu:78: variable 'sum' is uninitialized when used here".
[[nodiscard]] std::vector<std::string> warnings_in(const std::string& output, const std::filesystem::path& file);

// What Ninja says, less its own bookkeeping: for a student the compiler's text is the message.
[[nodiscard]] std::string compiler_text(const Ending& build);

// Why `file`, a lab's, made no program, from what its compiler and linker said: a mistake in it, or trouble of this machine's. `who`: as
// whose file a student knows it.
[[nodiscard]] Runner no_runner(const std::string& who, const std::filesystem::path& file, const Ending& step);

// Has Ninja build these targets and shows how far it is.
[[nodiscard]] Ending build_targets(const Project& project, const std::vector<std::string>& targets, const Audience& audience);

// The student's own; what is saved while the compiler reads the file is compiled again.
[[nodiscard]] Runner build_own_runner(const Project& project, const Lab& lab, const Audience& audience);

}  // namespace lab::tools
