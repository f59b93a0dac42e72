#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/self_test/quarter.h"
#include "common/tools/self_test/self_test.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Versions format and warn differently, so only one counts: Debian 12's, which Ubuntu has, too.
constexpr const char* format_program = "clang-format-14";
constexpr const char* tidy_program = "clang-tidy-14";

bool installed(const std::string& program) { return run({{program, "--version"}}).ok(); }

std::vector<std::string> our_files(const Project& project, const std::vector<std::string>& patterns) {
    Command command{{"git", "ls-files", "--cached", "--others", "--exclude-standard", "--"}, project.root.string(), {}};
    command.add(patterns);
    std::vector<std::string> files;
    for (const std::string& file : lines_of(run(command).output)) {
        if (fs::exists(project.root / file) && !fs::is_symlink(project.root / file)) files.push_back(file);
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

// Files that a commit would include; if nothing is changed, those of the last commit.
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
    command.add(files);
    std::map<std::string, int> wrong;
    for (const std::string& line : lines_of(run(command).output)) {
        const std::size_t place = line.find(": error: code should be clang-formatted");
        if (place != std::string::npos) ++wrong[line.substr(0, line.find(':'))];
    }
    PartResult result{static_cast<int>(files.size() - wrong.size()), static_cast<int>(wrong.size()), 0, {}};
    for (const auto& [file, places] : wrong)
        result.text += fmt::format("  {}: {} {}; {} -i {}\n", file, places, places == 1 ? "place" : "places", format_program, file);
    return result;
}

namespace {

// Input of one compiler run: a file, or a batch of files that the build compiles together.
struct Batch {
    std::string file, command;
    std::vector<std::string> units;  // our own files in it, from the project's folder on
};

bool is_ours(const std::string& unit) {
    return (unit.rfind("common/", 0) == 0 || unit.rfind("tests/", 0) == 0 || unit.rfind("handouts/", 0) == 0) &&
           fs::path(unit).extension() == ".cpp";
}

// The files that a batch includes; of any other file, itself.
std::vector<std::string> files_in(const std::string& file) {
    if (file.find("/Unity/unity_") == std::string::npos) return {file};
    std::vector<std::string> files;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t begin = line.find("#include \"");
        if (begin != std::string::npos) files.push_back(line.substr(begin + 10, line.rfind('"') - begin - 10));
    }
    return files;
}

// Each of our units once, in the batches of a compile_commands.json.
std::vector<Batch> batches_in(const nlohmann::json& database, const Project& project) {
    std::set<std::string> seen;
    std::vector<Batch> batches;
    for (const auto& entry : database) {
        Batch batch{entry.value("file", ""), entry.value("command", ""), {}};
        for (const std::string& file : files_in(batch.file)) {
            const std::string unit = fs::path(file).lexically_relative(project.root).string();
            if (is_ours(unit) && seen.insert(unit).second) batch.units.push_back(unit);
        }
        if (!batch.units.empty()) batches.push_back(std::move(batch));
    }
    return batches;
}

// Path of a file in the project without its extension: a unit and its header have the same one.
std::string stem_of(const std::string& file) { return fs::path(file).replace_extension(); }

// Keeps batches with a unit whose own file or header has changed (a header's own unit shows its mistakes first), and a quarter.
void keep_changed(std::vector<Batch>& batches, const Project& project, int quarter) {
    std::set<std::string> changed;
    for (const std::string& file : changed_files(project)) changed.insert(stem_of(file));
    std::erase_if(batches, [&](const Batch& batch) {
        const bool has_changed =
            std::any_of(batch.units.begin(), batch.units.end(), [&](const std::string& unit) { return changed.contains(stem_of(unit)); });
        return !has_changed && (quarter == 0 || !is_in(quarter, fs::path(batch.file).lexically_relative(project.root)));
    });
}

// A batch includes source files, which is intended there; their warnings are not about external headers. The search for parameters passed
// by value takes two fifths of a batch's time, since it looks through the whole batch for each function: it stays with single files.
std::vector<std::string> tidy_options(const fs::path& commands, const Project& project, bool in_batches) {
    std::vector<std::string> options{"--quiet", "-p", commands.string()};
    if (!in_batches) return options;
    std::string headers;
    for (const std::string& line : lines_of(read_whole(project.root / ".clang-tidy"))) {
        constexpr std::string_view key = "HeaderFilterRegex: '";
        if (line.rfind(key, 0) == 0) headers = line.substr(key.size(), line.rfind('\'') - key.size());
    }
    options.push_back("--header-filter=" + headers + "|/(common|handouts|tests)/.*[.]cpp$");
    options.emplace_back("--checks=-bugprone-suspicious-include,-performance-unnecessary-value-param");
    return options;
}

}  // namespace

std::vector<std::string> objects_of_quarter(const PartRun& part, const fs::path& folder) {
    std::vector<Batch> batches = batches_in(read_json(folder / "compile_commands.json"), part.project);
    keep_changed(batches, part.project, part.quarter);
    std::vector<std::string> objects;
    for (const Batch& batch : batches) {
        constexpr std::string_view output = " -o ";
        const std::size_t begin = batch.command.find(output);
        if (begin == std::string::npos) continue;
        const std::string object = batch.command.substr(begin + output.size());
        objects.push_back(object.substr(0, object.find(' ')));
    }
    return objects;
}

// The full tier checks the build's batches, which parse external headers once for many files; the contributor's tier checks single files,
// since few have changed.
PartResult check_tidy(const PartRun& part) {
    const Project& project = part.project;
    const bool in_batches = part.is_full;
    const fs::path commands = project.build / (in_batches ? "each_batch" : "each_file");
    PartResult result = build(part, project.build, {"lab_compile_commands"});
    if (result.failed > 0) return result;
    result = {};
    const nlohmann::json database = read_json(commands / "compile_commands.json");
    if (!database.is_array()) return {0, 1, 0, "no compile_commands.json in " + commands.string() + "\n"};
    std::vector<Batch> batches = batches_in(database, project);
    if (!part.is_full || part.quarter != 0) keep_changed(batches, project, part.quarter);
    if (batches.empty()) return {0, 0, 0, "no unit of our own code has changed\n"};
    std::size_t units = 0;
    for (const Batch& batch : batches) units += batch.units.size();
    if (!installed(tidy_program))
        return {0, 0, static_cast<int>(units), fmt::format("{} is not installed: nothing linted\n", tidy_program)};
    const fs::path stamps = project.build / "tidy";
    fs::create_directories(stamps);
    const fs::file_time_type shared = newest(project, our_files(project, {"*.h", ".clang-tidy"}));
    const std::vector<std::string> options = tidy_options(commands, project, in_batches);
    std::mutex mutex;
    in_parallel(batches.size(), [&](std::size_t index) {
        const Batch& batch = batches[index];
        std::string stamp_name = fs::path(batch.file).lexically_relative(project.root);
        std::replace(stamp_name.begin(), stamp_name.end(), '/', '+');
        const fs::path stamp = stamps / stamp_name;
        std::error_code never;
        const fs::file_time_type checked = fs::last_write_time(stamp, never);
        bool clean = !never && checked > shared && checked > newest(project, batch.units);
        std::string text;
        if (!clean) {
            Command command{{tidy_program}, project.root.string(), {}};
            command.add(options);
            command.words.push_back(batch.file);
            const Ending ending = run(command);
            clean = ending.ok();
            if (clean) std::ofstream(stamp) << "clean\n";
            for (const std::string& line : lines_of(ending.output)) {
                if (line.find(": error: ") != std::string::npos || line.find(": warning: ") != std::string::npos)
                    text += "  " + line + "\n";
            }
            if (text.empty() && !clean) text = ending.output;
        }
        const std::lock_guard lock(mutex);
        (clean ? result.passed : result.failed) += static_cast<int>(batch.units.size());
        part.progress.show(fmt::format("{} of {} · {}", result.passed + result.failed, units, batch.units.front()));
        if (!clean) result.text += text;
    });
    return result;
}

}  // namespace lab::tools
