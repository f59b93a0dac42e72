#include "common/tools/self_test/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "common/tools/process.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Versions format and warn differently, so one version judges: Debian 12's, which Ubuntu has too.
constexpr const char* format_program = "clang-format-14";
constexpr const char* tidy_program = "clang-tidy-14";

bool installed(const std::string& program) { return run({{program, "--version"}, {}, {}}).ok(); }

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> our_files(const Project& project, const std::vector<std::string>& patterns) {
    Command command{{"git", "ls-files", "--cached", "--others", "--exclude-standard", "--"}, project.root.string(), {}};
    command.words.insert(command.words.end(), patterns.begin(), patterns.end());
    std::vector<std::string> files;
    for (const std::string& file : lines_of(run(command).output)) {
        if (fs::exists(project.root / file)) files.push_back(file);
    }
    return files;
}

// Calls `check` for each index on all cores.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& check) {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.emplace_back([&] {
            for (std::size_t index = next++; index < count && !interrupted(); index = next++) check(index);
        });
    }
    for (std::thread& worker : workers) worker.join();
}

// What a commit would take, or, where nothing is changed, what the last one took.
std::vector<std::string> changed_files(const Project& project) {
    const auto listed = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "git");
        const Ending ending = run({words, project.root.string(), {}});
        return ending.ok() ? lines_of(ending.output) : std::vector<std::string>();
    };
    std::vector<std::string> files = listed({"diff", "--name-only", "HEAD"});
    for (std::string& file : listed({"ls-files", "--others", "--exclude-standard"})) files.push_back(std::move(file));
    return files.empty() ? listed({"diff", "--name-only", "HEAD~1", "HEAD"}) : files;
}

fs::file_time_type newest(const Project& project, const std::vector<std::string>& files) {
    fs::file_time_type latest = fs::file_time_type::min();
    for (const std::string& file : files) latest = std::max(latest, fs::last_write_time(project.root / file));
    return latest;
}

}  // namespace

PartResult check_format(const PartRun& part) {
    const Project& project = part.project;
    const std::vector<std::string> files = our_files(project, {"*.h", "*.cpp", "*.cu"});
    if (files.empty()) return {0, 1, 0, "git lists no source files: is this a git checkout?\n"};
    if (!installed(format_program)) {
        return {0, 0, static_cast<int>(files.size()), fmt::format("{} is not installed: format not checked\n", format_program)};
    }
    Command command{{format_program, "--dry-run", "--Werror"}, project.root.string(), {}};
    command.words.insert(command.words.end(), files.begin(), files.end());
    std::map<std::string, int> wrong;
    for (const std::string& line : lines_of(run(command).output)) {
        const std::size_t place = line.find(": error: code should be clang-formatted");
        if (place != std::string::npos) ++wrong[line.substr(0, line.find(':'))];
    }
    PartResult result{static_cast<int>(files.size() - wrong.size()), static_cast<int>(wrong.size()), 0, {}};
    for (const auto& [file, places] : wrong) result.text += fmt::format("  {}: {} places; {} -i {}\n", file, places, format_program, file);
    return result;
}

PartResult check_tidy(const PartRun& part) {
    const Project& project = part.project;
    // The command of each single file, where the build compiles several together.
    const fs::path commands = project.build / "each_file";
    (void)run({{"ninja", "-C", project.build.string(), "lab_compile_commands"}, {}, {}});
    std::ifstream stream(commands / "compile_commands.json");
    const nlohmann::json database = nlohmann::json::parse(stream, nullptr, false);
    if (!database.is_array()) return {0, 1, 0, "no compile_commands.json in " + commands.string() + "\n"};
    std::vector<std::string> units;
    for (const auto& entry : database) {
        const std::string file = entry.value("file", "");
        const std::string inside = fs::path(file).lexically_relative(project.root).string();
        const bool ours = inside.rfind("common/", 0) == 0 || inside.rfind("tests/", 0) == 0;
        if (ours && fs::path(file).extension() == ".cpp" && std::find(units.begin(), units.end(), inside) == units.end())
            units.push_back(inside);
    }
    if (!part.is_full()) {
        const std::vector<std::string> changed = changed_files(project);
        // A header's own unit is the first to see a mistake in it.
        const auto is_changed = [&](const std::string& unit) {
            const std::string stem = fs::path(unit).replace_extension();
            return std::any_of(changed.begin(), changed.end(), [&](const std::string& file) {
                return fs::path(file).replace_extension() == stem && !fs::path(file).extension().empty();
            });
        };
        std::erase_if(units, [&](const std::string& unit) { return !is_changed(unit); });
        if (units.empty()) return {0, 0, 0, "no unit of our own code has changed\n"};
    }
    if (!installed(tidy_program))
        return {0, 0, static_cast<int>(units.size()), fmt::format("{} is not installed: nothing linted\n", tidy_program)};
    const fs::path stamps = project.build / "tidy";
    fs::create_directories(stamps);
    const fs::file_time_type shared = newest(project, our_files(project, {"*.h", ".clang-tidy"}));
    std::mutex mutex;
    PartResult result;
    in_parallel(units.size(), [&](std::size_t index) {
        const std::string& unit = units[index];
        std::string stamp_name = unit;
        std::replace(stamp_name.begin(), stamp_name.end(), '/', '+');
        const fs::path stamp = stamps / stamp_name;
        std::error_code never;
        const fs::file_time_type checked = fs::last_write_time(stamp, never);
        bool clean = !never && checked > shared && checked > fs::last_write_time(project.root / unit);
        std::string text;
        if (!clean) {
            const Ending ending = run({{tidy_program, "--quiet", "-p", commands.string(), unit}, project.root.string(), {}});
            clean = ending.ok();
            if (clean) std::ofstream(stamp) << "clean\n";
            for (const std::string& line : lines_of(ending.output)) {
                if (line.find(": error: ") != std::string::npos || line.find(": warning: ") != std::string::npos)
                    text += "  " + line + "\n";
            }
            if (text.empty() && !clean) text = ending.output;
        }
        const std::lock_guard lock(mutex);
        ++(clean ? result.passed : result.failed);
        part.progress.show(fmt::format("{} of {} · {}", result.passed + result.failed, units.size(), unit));
        if (!clean) result.text += text;
    });
    return result;
}

}  // namespace lab::tools
