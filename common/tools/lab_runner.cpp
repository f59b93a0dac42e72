#include "common/tools/lab_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <regex>
#include <set>

#include "common/tools/diagnostics.h"
#include "common/tools/errors.h"
#include "common/tools/grading_folder.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/recipe.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;

namespace {

// "[35/120] Building CXX object a/b.cpp.o" as "35 of 120 · b.cpp.o", a batch by its target's name; "" for any other line.
std::string step_in(const std::string& line) {
    unsigned done = 0;
    unsigned all = 0;
    if (std::sscanf(line.c_str(), "[%u/%u]", &done, &all) != 2 || all == 0) return {};
    const std::string made = line.substr(line.rfind(' ') + 1);
    static const std::regex batch("CMakeFiles/([^/]+)\\.dir/Unity/unity_([0-9]+)_");
    std::smatch parts;
    if (std::regex_search(made, parts, batch)) {
        return fmt::format("{} of {} · {}, part {}", done, all, parts.str(1), std::stoi(parts.str(2)) + 1);
    }
    return fmt::format("{} of {} · {}", done, all, fs::path(made).filename().string());
}

// Whether a problem of this machine stopped a compiler or linker.
bool is_machines_trouble(const Ending& step) {
    constexpr std::array<const char*, 7> signs{"No space left on device",  "Disk quota exceeded",    "Input/output error",
                                               "Read-only file system",    "Cannot allocate memory", "out of memory",
                                               "unable to execute command"};
    return step.failed || step.signal != 0 ||
           std::any_of(signs.begin(), signs.end(), [&](const char* sign) { return step.output.find(sign) != std::string::npos; });
}

// Undefined functions, whatever the linker.
std::vector<std::string> missing_functions(const std::string& output) {
    const std::string sign = "undefined symbol: ";
    std::set<std::string> names;
    for (const Diagnostic& error : diagnostics_in(output)) {
        if (error.text.starts_with(sign)) names.insert(error.text.substr(sign.size()));
    }
    return {names.begin(), names.end()};
}

// Warnings of the last compilation, for gradings with an up-to-date object. If they can't be kept, those show none.
class KeptWarnings {
public:
    KeptWarnings(const Project& project, const Lab& lab) : file_(project.build / "reports" / (lab.name() + ".warnings")) {}
    void keep(const std::string& state, const std::vector<std::string>& warnings) const {
        try {
            replace_file(file_, fmt::format("{}\n{}", state, fmt::join(warnings, "\n")));
        } catch (const BadInput&) {
            return;
        }
    }
    [[nodiscard]] std::vector<std::string> of(const std::string& state) const {
        std::ifstream stream(file_);
        std::vector<std::string> warnings;
        std::string line;
        if (!std::getline(stream, line) || line != state) return warnings;
        while (std::getline(stream, line)) warnings.push_back(line);
        return warnings;
    }

private:
    fs::path file_;
};

// Compiles a bundle's own file by its recipe, unless nothing was saved since.
Ending compile_in_bundle(const Project& project, const Lab& lab, const std::string& target, const std::string& state,
                         const Audience& audience) {
    const fs::path folder = own_program(project, target).parent_path();
    const BuildLock lock(lock_of(project.build), audience);
    if (!lock.is_held()) return {exit_interrupted, 0, "interrupted", true, false};
    const std::string subject = state + fingerprint_of_file(Recipe::file_in_bundle(project.build, target));
    const fs::path compiled = folder / "subject";
    std::error_code none;
    if (fs::exists(Recipe::program_in(folder), none) && fs::exists(compiled, none) && read_whole(compiled) == subject) return {};
    fs::remove_all(folder, none);
    fs::create_directories(folder);
    audience.progress.show("compiling " + lab.file);
    Ending all;
    for (const Command& command : Recipe(project.build, target).commands_for(own_file(project, lab), folder)) {
        Ending step = run(command, {}, audience.stop_asked);
        step.output.insert(0, all.output);
        all = std::move(step);
        if (!all.ok()) return all;
    }
    replace_file(compiled, subject);
    return all;
}

}  // namespace

fs::path own_program(const Project& project, const std::string& target) {
    return is_bundle(project.build) ? Recipe::program_in(project.build / "own" / target) : project.bin(target);
}

std::vector<std::string> warnings_in(const std::string& output, const fs::path& file) {
    static const std::regex warning(R"(([^\s:(][^:(\n]*)(?::(\d+):\d+: warning: |\((\d+)\): warning [^:\n]*: )([^\n]*))");
    std::vector<std::string> warnings;
    for (std::sregex_iterator at(output.begin(), output.end(), warning), end; at != end; ++at) {
        const std::smatch& found = *at;
        const std::string text = found.str(4).substr(0, found.str(4).find(" [-W"));
        std::string line = fmt::format("{}:{}{}: {}", file.filename().string(), found.str(2), found.str(3), text);
        const bool is_new = std::find(warnings.begin(), warnings.end(), line) == warnings.end();
        if (fs::path(found.str(1)).filename() == file.filename() && is_new) warnings.push_back(std::move(line));
    }
    return warnings;
}

Runner no_runner(const std::string& who, const fs::path& file, const Ending& step) {
    const std::string text = compiler_text(step);
    if (is_machines_trouble(step)) {
        return {{}, fmt::format("{} could not be compiled (this is not your mistake):\n{}", who, text), false, false, true};
    }
    const std::vector<std::string> missing = missing_functions(step.output);
    if (missing.empty()) {
        const auto refusal = refusal_in(step.output);
        return {{}, fmt::format("{} does not compile:{}{}", who, refusal ? " " : "\n", refusal.value_or(text)), true};
    }
    if (fs::is_regular_file(file) && read_whole(file).find_first_not_of(" \t\r\n") == std::string::npos) {
        return {{}, fmt::format("{} does not compile: it is empty", who), true};
    }
    Runner runner{{},
                  fmt::format("{} does not compile: it lacks a function that the lab calls, or has it with other parameters:\n    {}\n"
                              "  is it this lab's file?\n",
                              who, fmt::join(missing, "\n    ")),
                  true};
    runner.topics = {diagnosis::Topic::missing_function};
    return runner;
}

std::string compiler_text(const Ending& build) {
    std::string text;
    for (const std::string& line : lines_of(build.output)) {
        const auto starts = [&](const char* what) { return line.starts_with(what); };
        const bool is_command = starts("cd /") || (starts("/") && line.find(" -o ") != std::string::npos);
        if (!is_command && !starts("ninja: ") && !starts("FAILED: ") && !starts("[")) text += "  " + line + "\n";
    }
    return text.empty() ? build.output : text;
}

Ending build_targets(const fs::path& build, const std::vector<std::string>& targets, const Audience& audience) {
    if (is_bundle(build)) return {};
    const BuildLock lock(lock_of(build), audience);
    if (!lock.is_held()) return {exit_interrupted, 0, "interrupted", true, false};
    Command command{{"ninja", "-C", build.string()}, {}, {{"NINJA_STATUS", "[%f/%t] "}}};
    command.add(targets);
    const auto show = [&](const std::string& line) {
        if (const std::string step = step_in(line); !step.empty()) audience.progress.show("building " + step);
    };
    return run(command, show, audience.stop_asked);
}

// Ninja (1.11 at least) takes an object that was written after a save for up to date, even if the compiler read the file before. So files
// saved meanwhile are compiled again.
Runner build_own_runner(const Project& project, const Lab& lab, const std::string& device, const Audience& audience) {
    const std::string target = lab.runner(device);
    const bool in_bundle = is_bundle(project.build);
    while (true) {
        const std::string before = saved_state(project, lab);
        const Ending built =
            in_bundle ? compile_in_bundle(project, lab, target, before, audience) : build_targets(project.build, {target}, audience);
        const bool saved_meanwhile = saved_state(project, lab) != before;
        if (saved_meanwhile && !in_bundle) {
            for (const fs::path& object : Recipe(project.build, target).objects()) fs::remove(object);
        }
        if (built.stopped || interrupted()) return {{}, "interrupted; no points counted", false, true};
        if (saved_meanwhile) continue;
        if (built.ok()) {
            Runner runner{own_program(project, target), {}};
            if (lab.is_for_gpu(device)) return runner;  // clang has warned already
            const KeptWarnings kept(project, lab);
            runner.warnings = warnings_in(built.output, own_file(project, lab));
            if (runner.warnings.empty()) runner.warnings = kept.of(before);
            kept.keep(before, runner.warnings);
            return runner;
        }
        return no_runner("your file", own_file(project, lab), built);
    }
}

}  // namespace lab::tools
