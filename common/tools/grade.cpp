#include "common/tools/grade.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/progress.h"
#include "common/tools/recipe.h"
#include "common/tools/score.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// What Ninja says, less its own bookkeeping: for a student the compiler's text is the message.
std::string compiler_text(const Ending& build) {
    std::string text;
    std::size_t start = 0;
    while (start < build.output.size()) {
        std::size_t end = build.output.find('\n', start);
        if (end == std::string::npos) end = build.output.size();
        const std::string line = build.output.substr(start, end - start);
        start = end + 1;
        const auto starts = [&](const char* what) { return line.rfind(what, 0) == 0; };
        const bool command = starts("cd /") || (starts("/") && line.find(" -o ") != std::string::npos);
        if (!command && !starts("ninja: ") && !starts("FAILED: ") && !starts("[")) text += "  " + line + "\n";
    }
    return text.empty() ? build.output : text;
}

Ending build(const Project& project, const std::vector<std::string>& targets, Progress& progress) {
    Command command{{"ninja", "-C", project.build.string()}, {}, {{"NINJA_STATUS", "[%f/%t] "}}};
    command.words.insert(command.words.end(), targets.begin(), targets.end());
    return run(command, [&](const std::string& line) {
        if (line.rfind('[', 0) == 0) progress.show("building " + line);
    });
}

// The file handed in for a lab; none where `from` is a folder without it.
fs::path submission(const Project& project, const Lab& lab, const std::string& from) {
    if (from.empty()) return project.root / "labs" / lab.folder / lab.file;
    if (fs::is_directory(from)) {
        for (const fs::path& candidate : {fs::path(from) / lab.folder / lab.file, fs::path(from) / lab.file}) {
            if (fs::is_regular_file(candidate)) return candidate;
        }
        return {};
    }
    return from;
}

// Which labs a --from is about.
std::vector<Lab> labs_of(const Project& project, const GradeOptions& options) {
    if (options.from.empty()) return project.select(options.labs);
    if (!fs::exists(options.from)) throw BadInput(fmt::format("--from {}: no such file or folder", options.from));
    std::vector<Lab> labs = project.select(options.labs);
    if (fs::is_directory(options.from)) {
        if (!options.labs.empty()) return labs;
        std::vector<Lab> handed_in;
        for (const Lab& lab : labs) {
            if (!submission(project, lab, options.from).empty()) handed_in.push_back(lab);
        }
        if (handed_in.empty()) {
            throw BadInput(
                fmt::format("--from {}: holds no lab's file; expected for instance {}/{}", options.from, labs[0].folder, labs[0].file));
        }
        return handed_in;
    }
    if (options.labs.size() == 1) return labs;
    if (options.labs.empty()) {
        const std::string name = fs::path(options.from).filename();
        for (const Lab& lab : labs) {
            if (name == lab.file) return {lab};
        }
        throw BadInput(
            fmt::format("--from {}: can't tell which lab this is by its name; say it: ./lab grade lab3 --from FILE", options.from));
    }
    throw BadInput("--from with a single file grades one lab; name just that one");
}

// Compiles one file as the build compiles the lab's own; the program, or an empty path and the compiler's text.
fs::path compile(const Project& project, const Lab& lab, const fs::path& file, std::string* errors) {
    const fs::path folder = project.build / "from" / lab.name();
    fs::create_directories(folder);
    for (const Command& command : Recipe(project.build, lab.name() + "_runner").commands_for(file, folder)) {
        const Ending step = run(command);
        if (!step.ok()) {
            *errors = compiler_text(step);
            return {};
        }
    }
    return Recipe::program_in(folder);
}

// The runner to judge; an empty path when there is none, with the reason in `trouble`.
fs::path runner_for(const Project& project, const Lab& lab, const GradeOptions& options, Progress& progress, std::string* trouble) {
    const std::string reference = lab.name() + "_reference";
    const Ending trusted = build(project, {lab.name() + "_test", reference}, progress);
    if (!trusted.ok()) {
        *trouble = "the project's own part of this lab does not build (this is not your mistake):\n" + compiler_text(trusted);
        return {};
    }
    if (options.solutions) return project.bin(reference);
    if (options.from.empty()) {
        const Ending own = build(project, {lab.name() + "_runner"}, progress);
        if (own.ok()) return project.bin(lab.name() + "_runner");
        *trouble = "your file does not compile:\n" + compiler_text(own);
        return {};
    }
    const fs::path file = submission(project, lab, options.from);
    if (file.empty()) {
        *trouble = fmt::format("nothing handed in: {} has no {}/{}", options.from, lab.folder, lab.file);
        return {};
    }
    std::string errors;
    fs::path program = compile(project, lab, file, &errors);
    if (program.empty()) *trouble = fmt::format("{} does not compile:\n{}", file.string(), errors);
    return program;
}

LabScore grade_lab(const Project& project, const Lab& lab, const GradeOptions& options, Progress& progress) {
    LabScore score;
    score.lab = lab.name();
    score.title = lab.title();
    const Clock::time_point start = Clock::now();
    const fs::path runner = runner_for(project, lab, options, progress, &score.trouble);
    if (runner.empty()) {
        score.seconds = seconds_since(start);
        return score;
    }
    const fs::path report = project.build / "reports" / (lab.name() + ".json");
    fs::create_directories(report.parent_path());
    fs::remove(report);
    Command suite{{project.bin(lab.name() + "_test").string(), "--runner", runner.string(), "--reference",
                   project.bin(lab.name() + "_reference").string(), "--gtest_output=json:" + report.string(), "--gtest_color=no"},
                  {},
                  {}};
    if (options.seed) suite.words.insert(suite.words.end(), {"--seed", std::to_string(*options.seed)});
    if (!options.filter.empty()) suite.words.push_back("--gtest_filter=" + options.filter);
    std::size_t done = 0;
    const Ending ending = run(suite, [&](const std::string& line) {
        if (score.seed.empty() && line.rfind("seed ", 0) == 0) score.seed = line.substr(5, line.find(' ', 5) - 5);
        const bool ended = line.rfind("[       OK ] ", 0) == 0 || line.rfind("[  FAILED  ] ", 0) == 0;
        if (ended) ++done;
        if (line.rfind("[ RUN      ] ", 0) == 0) progress.show(fmt::format("{} · test {} · {}", lab.name(), done + 1, line.substr(13)));
    });
    score.seconds = seconds_since(start);
    nlohmann::json json;
    if (std::ifstream file(report); file) json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_object()) {
        score.tests = read_scores(json, &score.backend);
    } else if (!interrupted()) {
        const std::string how =
            ending.signal != 0 ? fmt::format("died of signal {}", ending.signal) : fmt::format("ended with status {}", ending.status);
        const std::size_t tail = ending.output.size() > 4000 ? ending.output.size() - 4000 : 0;
        score.trouble = fmt::format("the suite {} before it wrote its report:\n{}", how, ending.output.substr(tail));
    }
    if (interrupted() && score.tests.empty()) score.trouble = "interrupted; no points counted";
    return score;
}

void write_json(const std::string& path, const std::vector<LabScore>& scores, const Project& project) {
    nlohmann::json json = to_json(scores);
    json["backend"] = project.backend;
    std::ofstream file(path);
    file << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    if (!file) throw BadInput(fmt::format("--json {}: can't write there", path));
}

}  // namespace

int grade(const Project& project, const GradeOptions& options) {
    if (options.solutions && !options.from.empty()) throw BadInput("--solutions and --from exclude each other");
    const std::vector<Lab> labs = labs_of(project, options);
    if (!options.json.empty() && !std::ofstream(options.json, std::ios::app))
        throw BadInput(fmt::format("--json {}: can't write there", options.json));
    const Clock::time_point start = Clock::now();
    keep_going_on_interrupt();
    std::vector<LabScore> scores;
    {
        Progress progress;
        for (const Lab& lab : labs) {
            if (interrupted()) break;
            scores.push_back(grade_lab(project, lab, options, progress));
        }
    }
    bool full = scores.size() == labs.size();
    std::string backend = project.backend == "gpu" ? "the GPU" : "the emulator; times of kernels are modelled";
    for (const LabScore& score : scores) {
        full = full && score.full();
        if (!score.backend.empty()) backend = score.backend;
        fmt::print("{}", explain(score, options.verbose));
    }
    fmt::print("\n{}\ngraded on {} in {:.1f} s\n", table(scores), backend, seconds_since(start));
    if (!options.json.empty()) write_json(options.json, scores, project);
    if (interrupted()) {
        fmt::print("interrupted: the table holds what was done\n");
        return exit_interrupted;
    }
    return full ? exit_full_marks : exit_marks_lost;
}

}  // namespace lab::tools
