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

#include "common/tools/errors.h"
#include "common/tools/grading_folder.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/recipe.h"
#include "common/tools/safe_files.h"
#include "common/tools/score.h"
#include "common/tools/studies/study_device.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Copies of one grading's programs, made at its start.
struct Programs {
    fs::path suite, runner;
    fs::path reference;                  // in a bundle the figures of its speed (common/grading/figures.h), for labs with kernels
    fs::path gpu_reference, gpu_runner;  // where a GPU has a part in the grading
    fs::path search;                     // how edited copies of the student's file are compiled (common/grading/repairs.h); or none
};

// Devices that a lab is graded on.
std::vector<std::string> devices_for(const Project& project, const Lab& lab) {
    if (!lab.is_for_gpu(project.backend)) return {"emulator"};
    return {"emulator", "gpu"};
}

fs::path figures_of(const Project& project, const Lab& lab) { return project.build / "figures" / (lab.name() + ".json"); }

// The suite's option that names the reference, and its value.
std::vector<std::string> reference_words(const fs::path& reference) {
    return {reference.extension() == ".json" ? "--figures" : "--reference", reference.string()};
}

// Builds what judges the lab and what is judged, unless that is compiled by itself.
Runner built(const Project& project, const Lab& lab, const std::vector<std::string>& devices, bool has_own, bool has_sandbox,
             const Audience& audience) {
    std::vector<std::string> targets = targets_of(project, lab);
    if (has_sandbox) targets.emplace_back(sandbox_target);
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

// The same steps, with what only adds to a compiler's output in that compiler's sandbox: each sandbox takes some 30 ms to make.
std::vector<Command> in_few_sandboxes(std::vector<Command> steps) {
    std::vector<Command> few;
    for (Command& step : steps) {
        if (few.empty() || step.words[0] != "truncate") {
            few.push_back(std::move(step));
            continue;
        }
        const std::string file = step.words.back();  // the shell's $0
        step.words.pop_back();
        std::vector<std::string>& words = few.back().words;
        words.insert(words.begin(), {"/bin/sh", "-c", fmt::format("\"$@\" && exec {} \"$0\"", fmt::join(step.words, " ")), file});
    }
    return few;
}

// How copies of a file are compiled in a folder.
nlohmann::json compile_folder(const fs::path& folder, const Project& project, const Recipe& recipe, const fs::path& extension,
                              const std::optional<sandbox::Sandbox>& sandbox) {
    const fs::path unit = folder / ("unit" + extension.string());
    std::ofstream(unit).close();
    const auto words_of = [&](Command step) {
        if (sandbox) return confined(*sandbox, project, step, unit, folder).words;
        step.words.insert(step.words.begin(), {"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", step.folder});
        return step.words;
    };
    nlohmann::json json{{"unit", unit.string()},
                        {"ptx", Recipe::kernels_in(folder).string()},
                        {"program", Recipe::program_in(folder).string()},
                        {"compile", nlohmann::json::array()},
                        {"build", nlohmann::json::array()}};
    if (const std::optional<Command> pass = recipe.device_pass_for(unit, folder)) json["compile"].push_back(words_of(*pass));
    CompilerOptions quick{.both = {"-O1", "-g0", "-w"}, .host = {}, .link = {}, .problem = {}};
    const bool is_clang = recipe.commands_for(unit, folder).front().words.front().find("clang") != std::string::npos;
    if (is_clang) {
        quick.both.emplace_back("-ferror-limit=0");  // g++ tells all mistakes without it
        // A copy is optimised for longer than it runs. A precompiled header allows no -O0.
        quick.host = {"-Xclang", "-disable-llvm-passes"};
    }
    std::vector<Command> steps = recipe.commands_for(unit, folder, quick);
    for (Command& step : sandbox ? in_few_sandboxes(std::move(steps)) : std::move(steps))
        json["build"].push_back(words_of(std::move(step)));
    return json;
}

// Writes how a suite compiles edited copies of the student's file: as the file itself is, in its sandbox. "": nothing is searched.
fs::path search_for(const Project& project, const Lab& lab, const GradeOptions& options, const fs::path& file, const fs::path& folder,
                    const std::optional<sandbox::Sandbox>& sandbox) {
    if (options.search_seconds <= 0) return {};
    const fs::path made = folder / "edits";
    nlohmann::json json{{"source", fs::absolute(file).string()}, {"seconds", options.search_seconds}, {"folders", nlohmann::json::array()}};
    try {
        const Recipe recipe(project.build, lab.runner());
        constexpr int folders = 2;  // in which copies are compiled at once
        for (int i = 0; i < folders; ++i) {
            const fs::path made_in = made / std::to_string(i);
            fs::create_directories(made_in);
            json["folders"].push_back(compile_folder(made_in, project, recipe, file.extension(), sandbox));
        }
    } catch (const BadInput&) {
        return {};  // where the build does not say how it makes that program
    }
    std::ofstream(made / "search.json") << json.dump();
    return made / "search.json";
}

// Sets the programs; if there are none, sets the reason in the score.
std::optional<Programs> programs_for(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience,
                                     const GradingFolder& folder, LabScore* score) {
    Runner runner;
    Programs programs;
    const bool has_sandbox = wants_sandbox(options.sandbox, !options.from.empty());
    const bool is_by_itself = !options.solutions && (!options.from.empty() || has_sandbox);
    const std::vector<std::string> devices = devices_for(project, lab);
    const bool has_own = !options.solutions && !is_by_itself;
    {
        const BuildLock lock(lock_of(project.build), audience);
        if (!lock.is_held()) {
            runner = {{}, "interrupted; no points counted", false, true};
        } else if (options.is_built) {
            runner = {project.bin(lab.reference()), {}};
        } else {
            runner = built(project, lab, devices, has_own, has_sandbox, audience);
        }
        if (!runner.program.empty()) {
            // Nothing builds a bundle's programs anew, and they find their libraries by their place.
            const auto snapshot = [&](const std::string& program) {
                return is_bundle(project.build) ? project.bin(program) : folder.snapshot(project.bin(program));
            };
            programs.suite = snapshot(lab.name() + "_test");
            const fs::path figures = figures_of(project, lab);
            programs.reference = fs::exists(figures) ? figures : snapshot(lab.reference());
            programs.runner = has_own ? folder.snapshot(runner.program) : programs.reference;
            if (devices.size() > 1) {
                programs.gpu_reference = snapshot(lab.reference(devices.back()));
                const std::string own = lab.runner(devices.back());
                if (!has_own) programs.gpu_runner = programs.gpu_reference;
                if (has_own) programs.gpu_runner = is_bundle(project.build) ? own_program(project, own) : snapshot(own);
            }
        }
    }
    std::optional<sandbox::Sandbox> sandbox;
    if (!runner.program.empty() && has_sandbox)
        sandbox = options.is_built ? sandbox::Sandbox(project.bin("lab-confine"), options.sandbox) : sandbox_of(project, options.sandbox);
    if (sandbox && !options.solutions) score->sandbox = sandbox->strength();
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
    if (!runner.program.empty() && !options.solutions)
        programs.search = search_for(project, lab, options, submission(project, lab, options.from), folder.path(), sandbox);
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
    Command suite{{programs.suite.string(), "--runner", programs.runner.string(), "--gtest_output=json:" + report.string(),
                   "--gtest_color=no", "--kept", (project.build / "kept").string()}};
    suite.add(reference_words(programs.reference));
    if (!programs.gpu_runner.empty()) {
        suite.add({"--gpu-runner", programs.gpu_runner.string(), "--gpu-reference", programs.gpu_reference.string()});
    }
    if (const std::string device = modelled_device(project, options); !device.empty()) suite.add({"--device", device});
    if (!score->sandbox.empty()) suite.add({"--sandbox", score->sandbox});
    if (!programs.search.empty()) suite.add({"--search", programs.search.string()});
    if (options.seed) suite.add({"--seed", std::to_string(*options.seed)});
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
    const nlohmann::json json = read_json(report);
    if (json.is_object()) {
        score->tests = read_scores(json, &score->backend);
        if (whole && !score->stopped) keep(kept, subject, score->seed, json);
    } else if (!score->stopped) {
        const std::string how =
            ending.signal != 0 ? fmt::format("died of signal {}", ending.signal) : fmt::format("ended with status {}", ending.status);
        score->is_undecided = ending.failed || is_graders_end(ending);
        score->trouble = fmt::format("the suite {} before it wrote its report{}:\n{}", how,
                                     score->is_undecided ? " (this is not your mistake)" : "", tail(ending.output, 4000));
    }
    if (score->stopped && score->tests.empty()) score->trouble = "interrupted; no points counted";
    if (score->tests.empty() && !score->stopped) score->tests = tests_not_run(project, lab, report);
}

// As a shell takes it for one word.
std::string in_quotes(const std::string& word) {
    return word.find_first_of(" '\"\\$*?&;|<>()") == std::string::npos ? word : "'" + word + "'";
}

}  // namespace

std::vector<TestScore> tests_not_run(const Project& project, const Lab& lab, const fs::path& report) {
    const std::string suite = project.bin(lab.name() + "_test").string();
    const fs::path reference = project.bin(lab.reference());
    const std::string any = fs::exists(reference) ? reference.string() : suite;  // it is asked for its name only
    (void)run({{suite, "--describe", "--runner", any, "--reference", any, "--gtest_output=json:" + report.string()}});
    const nlohmann::json json = read_json(report);
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

std::vector<std::string> targets_of(const Project& project, const Lab& lab) {
    std::vector<std::string> targets{lab.name() + "_test"};
    for (const std::string& device : devices_for(project, lab)) targets.push_back(lab.reference(device));
    return targets;
}

Runner compile_submission(const Project& project, const std::string& target, const fs::path& file, const fs::path& folder,
                          const std::optional<sandbox::Sandbox>& sandbox) {
    std::string printed;
    const fs::path made = made_in(folder);
    fs::create_directories(made);
    std::vector<Command> steps = Recipe(project.build, target).commands_for(file, made);
    for (const Command& command : sandbox ? in_few_sandboxes(std::move(steps)) : std::move(steps)) {
        const Ending step = run(sandbox ? confined(*sandbox, project, command, file, made) : command);
        if (sandbox && step.status == sandbox::not_confined) throw BadInput(lines_of(step.output).at(0));
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
    std::string course = options.course;
    if (course.empty() && fs::exists(project.root / "course.json")) course = (project.root / "course.json").string();
    std::map<std::string, double> points;
    if (!course.empty() && !options.has_suites_points) points = points_in_course(course, score.lab);
    if (!course.empty()) score.told_of_search = told_of_search_in(course);
    score.subject = options.solutions ? "--solutions" : options.from.empty() ? "" : "--from " + in_quotes(options.from);
    judge(project, lab, options, audience, folder, &score);
    add_causes_of_warnings(&score);
    if (options.filter.empty()) use_points(points, &score);  // else tests are missing that share a group's points
    score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return score;
}

}  // namespace lab::tools
