#include "common/tools/grade_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/tools/confined.h"
#include "common/tools/errors.h"
#include "common/tools/grading_folder.h"
#include "common/tools/kept_verdict.h"
#include "common/tools/recipe.h"
#include "common/tools/student_files.h"
#include "common/tools/studies/study_device.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Copies of one grading's programs, made at its start.
struct Programs {
    fs::path suite, reference, runner;
    fs::path gpu_reference, gpu_runner;  // where a GPU has a part in the grading
};

// Devices that a lab is graded on. Nothing in a sandbox reaches a GPU.
std::vector<std::string> devices_for(const Project& project, const Lab& lab, bool is_sandboxed) {
    if (!lab.is_for_gpu(project.backend) || is_sandboxed) return {"emulator"};
    return {"emulator", "gpu"};
}

// Builds what judges the lab and what is judged, unless that is compiled by itself.
Runner built(const Project& project, const Lab& lab, const std::vector<std::string>& devices, bool has_own, const Audience& audience) {
    std::vector<std::string> targets{lab.name() + "_test"};
    for (const std::string& device : devices) targets.push_back(lab.reference(device));
    const Ending trusted = build_targets(project.build, targets, audience);
    if (trusted.stopped) return {{}, "interrupted; no points counted", false, true};
    if (!trusted.ok()) {
        return {{},
                "the project's own part of this lab does not build (this is not your mistake):\n" + compiler_text(trusted),
                false,
                false,
                true};
    }
    Runner runner{project.bin(lab.reference()), {}};
    if (!has_own) return runner;
    for (const std::string& device : devices) {
        Runner own = build_own_runner(project, lab, device, audience);
        if (own.program.empty()) return own;
        if (device == devices.front()) runner = std::move(own);
    }
    return runner;
}

// The submission's runners, in the order of the devices.
Runner compiled(const Project& project, const Lab& lab, const std::vector<std::string>& devices, const fs::path& file,
                const fs::path& folder, const std::optional<sandbox::Sandbox>& sandbox, Programs* programs) {
    Runner runner = compile_submission(project, lab.runner(), file, folder, sandbox);
    programs->runner = runner.program;
    if (devices.size() == 1 || runner.program.empty()) return runner;
    Runner on_gpu = compile_submission(project, lab.runner(devices.back()), file, folder / devices.back(), sandbox);
    programs->gpu_runner = on_gpu.program;
    return on_gpu.program.empty() ? on_gpu : runner;
}

// Sets the programs; if there are none, sets the reason in the score.
std::optional<Programs> programs_for(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience,
                                     const GradingFolder& folder, LabScore* score) {
    Runner runner;
    Programs programs;
    const std::optional<sandbox::Sandbox> sandbox = sandbox_for(project, options.sandbox, !options.from.empty(), audience);
    const bool is_by_itself = !options.solutions && (!options.from.empty() || sandbox);
    if (sandbox && !options.solutions) score->sandbox = sandbox->strength();
    const std::vector<std::string> devices = devices_for(project, lab, !score->sandbox.empty());
    const bool has_own = !options.solutions && !is_by_itself;
    {
        const BuildLock lock(lock_of(project.build), audience);
        runner =
            lock.is_held() ? built(project, lab, devices, has_own, audience) : Runner{{}, "interrupted; no points counted", false, true};
        if (!runner.program.empty()) {
            const auto snapshot = [&](const std::string& program) { return folder.snapshot(project.bin(program)); };
            programs.suite = snapshot(lab.name() + "_test");
            programs.reference = snapshot(lab.reference());
            programs.runner = has_own ? folder.snapshot(runner.program) : programs.reference;
            if (devices.size() > 1) {
                programs.gpu_reference = snapshot(lab.reference(devices.back()));
                programs.gpu_runner = has_own ? snapshot(lab.runner(devices.back())) : programs.gpu_reference;
            }
        }
    }
    if (!runner.program.empty() && is_by_itself) {
        const fs::path file = submission(project, lab, options.from);
        if (file.empty()) {
            runner = {{}, fmt::format("nothing handed in: {} has no {}/{}", options.from, lab.folder, lab.file)};
        } else if (const std::string refusal = options.from.empty() ? "" : refusal_of(file, options.from); !refusal.empty()) {
            runner = {{}, refusal, true};
        } else {
            runner = compiled(project, lab, devices, file, folder.path(), sandbox, &programs);
        }
    }
    score->trouble = runner.trouble;
    score->warnings = runner.warnings;
    score->topics = runner.topics;
    score->does_not_compile = runner.does_not_compile;
    score->stopped = runner.stopped;
    score->is_undecided = runner.is_undecided;
    return runner.program.empty() ? std::nullopt : std::optional(programs);
}

// Runs the suite, which writes its report.
Ending run_suite(const Project& project, const Lab& lab, const GradeOptions& options, const Programs& programs, const fs::path& report,
                 const Audience& audience, LabScore* score) {
    Command suite{{programs.suite.string(), "--runner", programs.runner.string(), "--reference", programs.reference.string(),
                   "--gtest_output=json:" + report.string(), "--gtest_color=no", "--kept", (project.build / "kept").string()},
                  {},
                  {}};
    if (!programs.gpu_runner.empty()) {
        suite.words.insert(suite.words.end(),
                           {"--gpu-runner", programs.gpu_runner.string(), "--gpu-reference", programs.gpu_reference.string()});
    }
    if (const std::string device = modelled_device(project, options); !device.empty())
        suite.words.insert(suite.words.end(), {"--device", device});
    if (!score->sandbox.empty()) suite.words.insert(suite.words.end(), {"--sandbox", score->sandbox});
    if (options.seed) suite.words.insert(suite.words.end(), {"--seed", std::to_string(*options.seed)});
    if (!options.filter.empty()) suite.words.push_back("--gtest_filter=" + options.filter);
    std::size_t done = 0;
    const auto follow = [&](const std::string& line) {
        if (score->seed.empty() && line.rfind("seed ", 0) == 0) score->seed = line.substr(5, line.find(' ', 5) - 5);
        const bool ended = line.rfind("[       OK ] ", 0) == 0 || line.rfind("[  FAILED  ] ", 0) == 0;
        if (ended) ++done;
        if (line.rfind("[ RUN      ] ", 0) == 0)
            audience.progress.show(fmt::format("{} · test {} · {}", lab.name(), done + 1, line.substr(13)));
    };
    return run(suite, follow, audience.stop_asked);
}

// Points of the lab's tests without running them: the maximum is the same, whatever prevented the suite from running.
std::vector<TestScore> tests_not_run(const Project& project, const Lab& lab, const fs::path& report) {
    const std::string reference = project.bin(lab.reference()).string();
    (void)run({{project.bin(lab.name() + "_test").string(), "--describe", "--runner", reference, "--reference", reference,
                "--gtest_output=json:" + report.string()},
               {},
               {}});
    std::ifstream file(report);
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) return {};
    std::string backend;
    std::vector<TestScore> tests = read_scores(json, &backend);
    for (TestScore& test : tests) {
        test.has_run = test.is_undecided = false;
        test.earned = 0;
        test.failures.clear();
    }
    return tests;
}

// If it can't be kept, the next hint grades again.
void keep(const KeptVerdict& kept, const std::string& subject, const std::string& seed, const nlohmann::json& report) {
    try {
        kept.keep(subject, seed, report);
    } catch (const BadInput&) {
        return;
    }
}

// A suite that ended normally without a report could not write it; a crashed one is faulty itself.
bool is_graders_end(const Ending& ending) {
    constexpr std::array crashes{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV};
    return ending.signal == 0 || std::find(crashes.begin(), crashes.end(), ending.signal) != crashes.end();
}

fs::path graded_file(const Project& project, const Lab& lab, const GradeOptions& options) {
    return options.solutions ? project.root / "solutions" / lab.folder / lab.file : submission(project, lab, options.from);
}

void judge(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience, const GradingFolder& folder,
           LabScore* score) {
    const fs::path report = folder.path() / "report.json";
    const auto programs = programs_for(project, lab, options, audience, folder, score);
    if (!programs) {
        if (const fs::path file = graded_file(project, lab, options); options.from.empty() || refusal_of(file, options.from).empty())
            score->source = read_source(file.string());
        if (!score->stopped) score->tests = tests_not_run(project, lab, report);
        return;
    }

    score->source = read_source(graded_file(project, lab, options).string());
    // Whatever is not the whole suite leaves no verdict to keep.
    const bool whole = modelled_device(project, options).empty() && !options.seed && options.filter.empty();
    const KeptVerdict kept(project, lab, options.solutions ? "solution" : options.from.empty() ? "" : "from");
    std::vector<fs::path> judged{programs->runner, programs->suite, programs->reference};
    if (!programs->gpu_runner.empty()) judged.insert(judged.end(), {programs->gpu_runner, programs->gpu_reference});
    const std::string subject = whole ? kept.subject(judged) + score->sandbox : "";
    if (whole && options.kept_will_do && kept.recall(subject, score)) return;

    const Ending ending = run_suite(project, lab, options, *programs, report, audience, score);
    score->stopped = ending.stopped || interrupted();
    nlohmann::json json;
    if (std::ifstream file(report); file) json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_object()) {
        score->tests = read_scores(json, &score->backend);
        if (whole && !score->stopped) keep(kept, subject, score->seed, json);
    } else if (!score->stopped) {
        const std::string how =
            ending.signal != 0 ? fmt::format("died of signal {}", ending.signal) : fmt::format("ended with status {}", ending.status);
        const std::size_t tail = ending.output.size() > 4000 ? ending.output.size() - 4000 : 0;
        score->is_undecided = ending.failed || is_graders_end(ending);
        score->trouble = fmt::format("the suite {} before it wrote its report{}:\n{}", how,
                                     score->is_undecided ? " (this is not your mistake)" : "", ending.output.substr(tail));
    }
    if (score->stopped && score->tests.empty()) score->trouble = "interrupted; no points counted";
    if (score->tests.empty() && !score->stopped) score->tests = tests_not_run(project, lab, report);
}

// As a shell takes it for one word.
std::string in_quotes(const std::string& word) {
    return word.find_first_of(" '\"\\$*?&;|<>()") == std::string::npos ? word : "'" + word + "'";
}

}  // namespace

Runner compile_submission(const Project& project, const std::string& target, const fs::path& file, const fs::path& folder,
                          const std::optional<sandbox::Sandbox>& sandbox) {
    std::string printed;
    const fs::path made = made_in(folder);
    fs::create_directories(made);
    for (const Command& command : Recipe(project.build, target).commands_for(file, made)) {
        const Ending step = run(sandbox ? confined(*sandbox, project, command, file, made) : command);
        if (const std::string excess = sandbox && !step.ok() ? excess_of(step) : ""; !excess.empty())
            return {{}, fmt::format("{} does not compile: {}", file.string(), excess), true};
        if (!step.ok()) return no_runner(file.string(), file, step);
        printed += step.output;
    }
    Runner runner{Recipe::program_in(made), {}};
    runner.warnings = warnings_in(printed, file);
    return runner;
}

std::string modelled_device(const Project& project, const GradeOptions& options) {
    if (project.backend == "gpu") {
        if (!options.device.empty()) (void)study_device(project, options.device);  // reports the reason
        return {};
    }
    const char* const set = std::getenv("LAB_DEVICE");
    const std::string id = options.device.empty() && set != nullptr ? set : options.device;
    return id.empty() ? id : known_device(id).found_as;
}

fs::path submission(const Project& project, const Lab& lab, const std::string& from) {
    if (from.empty()) return own_file(project, lab);
    if (fs::is_directory(from)) {
        for (const fs::path& candidate : {fs::path(from) / lab.folder / lab.file, fs::path(from) / lab.file}) {
            if (fs::is_regular_file(candidate)) return candidate;
        }
        return {};
    }
    return from;
}

LabScore grade_lab(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience) {
    return grade_lab(project, lab, options, audience, GradingFolder(project, lab));
}

LabScore grade_lab(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience,
                   const GradingFolder& folder) {
    const auto start = std::chrono::steady_clock::now();
    LabScore score;
    score.lab = lab.name();
    score.title = lab.title();
    score.subject = options.solutions ? "--solutions" : options.from.empty() ? "" : "--from " + in_quotes(options.from);
    judge(project, lab, options, audience, folder, &score);
    score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return score;
}

}  // namespace lab::tools
