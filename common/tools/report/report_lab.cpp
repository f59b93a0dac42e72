// The report on a lab: its verdict, and launches of its kernels with their accesses recorded.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/grading_folder.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/recipe.h"
#include "common/tools/report/launch_view.h"
#include "common/tools/report/report.h"
#include "common/tools/report/sources.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/study_ask.h"
#include "common/tools/studies/study_runner.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

fs::path file_of(const Project& project, const Lab& lab, const ReportOptions& options) {
    if (options.is_solution) return project.root / "solutions" / lab.folder / lab.file;
    if (options.from.empty()) return own_file(project, lab);
    if (!fs::exists(options.from)) throw BadInput(fmt::format("--from {}: no such file or folder", options.from));
    fs::path file = submission(project, lab, options.from);
    if (file.empty()) throw BadInput(fmt::format("--from {}: holds no {}", options.from, lab.file));
    if (const std::string refusal = refusal_of(file, options.from); !refusal.empty()) throw BadInput("--from " + refusal);
    return file;
}

// Blocks that run of a launch with more work than `max_whole_flops` or `max_whole_bytes`, which would take seconds; those stand for all.
constexpr std::uint64_t sampled_blocks = 128;
constexpr double max_whole_flops = 1e9;
constexpr double max_whole_bytes = 1e8;
bool is_large(const UsefulWork& work) { return work.flops > max_whole_flops || work.bytes > max_whole_bytes; }

std::vector<StudyAsk> asks_for(const Project& project, const Lab& lab, const ReportOptions& options, const StudyDevice& device) {
    std::vector<const StudyKernel*> kernels;
    if (!options.kernel.empty()) kernels.push_back(&find_kernel(project, lab.name(), options.kernel, "report"));
    for (const StudyKernel& kernel : study_kernels()) {
        if (options.kernel.empty() && kernel.lab == lab.name() && !kernel.is_in_reference_only) kernels.push_back(&kernel);
    }
    std::vector<StudyAsk> asks;
    for (const StudyKernel* const kernel : kernels) {
        if (options.type == "double" && !kernel->takes_double && options.kernel.empty()) continue;
        StudyAsk ask = ask_for(*kernel, options, device);
        ask.emulator.records_accesses = true;
        if (is_large(ask.work())) ask.emulator.max_blocks = sampled_blocks;
        std::vector<BlockShape> blocks;
        if (!options.blocks.empty()) blocks = parse_blocks(options.blocks, "--block");
        for (const BlockShape block : blocks) check_block(*kernel, block, ask.size, device, "--block");
        if (blocks.empty()) blocks.push_back(block_for(*kernel, "", ask.size, device));
        for (const BlockShape block : blocks) {
            ask.block = block;
            asks.push_back(ask);
        }
    }
    return asks;
}

// The launch that took longest of those whose accesses were recorded.
const trace::Launch* longest_recorded(const std::vector<trace::Launch>& launches) {
    const trace::Launch* longest = nullptr;
    for (const trace::Launch& launch : launches) {
        if (!launch.recording) continue;
        if (longest == nullptr || launch.modelled_ms > longest->modelled_ms) longest = &launch;
    }
    return longest;
}

LaunchSubject subject_of(const StudyAsk& ask, const trace::Launch& launch, std::size_t launches) {
    LaunchSubject subject;
    subject.name =
        fmt::format("{}, size {}, blocks {}x{}", ask.kernel->name, show(ask.size, ask.kernel->is_square), launch.block.x, launch.block.y);
    subject.size = ask.size;
    subject.work = ask.work();
    subject.element_bytes = ask.is_double ? 8 : 4;
    subject.arrays = ask.kernel->call(ask.size, ask.block).arrays;
    subject.launches = launches;
    return subject;
}

// Runs what can be run; a kernel that can't leaves a note.
void add_launches(const std::vector<StudyAsk>& asks, StudyRunner& runner, StudyDevice device, Progress& progress, ReportParts* parts) {
    for (const StudyAsk& ask : asks) {
        progress.show(fmt::format("{} at size {}", ask.kernel->name, show(ask.size, ask.kernel->is_square)));
        try {
            const StudyResult result = runner.run(ask, &device);
            parts->is_interrupted = result.stopped;
            if (result.stopped) return;
            if (!result.warning.empty()) parts->notes.push_back(result.warning);
            const trace::Launch* const launch = longest_recorded(result.launches);
            if (launch != nullptr)
                parts->launches.push_back(
                    launch_view(*launch, subject_of(ask, *launch, result.launches.size()), known_device(device.id), &parts->sources));
        } catch (const BadInput& problem) {
            parts->notes.emplace_back(problem.what());
        }
    }
}

Json sweep_view(const StudyAsk& first, StudyRunner& runner, StudyDevice device, Progress& progress, ReportParts* parts) {
    StudyAsk ask = first;
    ask.emulator.records_accesses = false;
    Json shapes = Json::array();
    for (const BlockShape block : legal_blocks(*ask.kernel, ask.size, device)) {
        ask.block = block;
        progress.show(fmt::format("{} in blocks of {}", ask.kernel->name, show(block)));
        Json shape = {{"block", {block.x, block.y}}, {"ms", nullptr}, {"text", ""}};
        try {
            const StudyResult result = runner.run(ask, &device);
            parts->is_interrupted = result.stopped;
            if (result.stopped) return nullptr;
            if (!result.times_ms.empty()) shape["ms"] = result.times_ms.front();
        } catch (const BadInput& problem) {
            shape["text"] = problem.what();
        }
        shapes.push_back(std::move(shape));
    }
    return {{"kernel", ask.kernel->name},
            {"size", {ask.size.x, ask.size.y}},
            {"modelled", true},
            {"device", device.name},
            {"shapes", std::move(shapes)}};
}

// On a GPU the launches come from the emulator's build of the same files.
void add_emulated_launches(const Project& project, const ReportOptions& options, Progress& progress, ReportParts* parts) {
    progress.show("launches in the emulator, which is built first");
    const OwnFile file(project.build, "report");
    Command command{{(project.root / "lab").string(), "--no-install", "--backend", "emulator", "report", options.subject}};
    if (!options.kernel.empty()) command.words.push_back(options.kernel);
    if (!options.from.empty()) command.add({"--from", options.from});
    const std::vector<std::string> about = words_about_kernels(options);
    command.add(about);
    command.add({"--no-score", "--json", file.path().string(), "--out", "/dev/null"});
    const Ending ending = run(command);
    const Json json = ending.ok() ? read_json(file.path()) : Json();
    if (!json.is_object()) {
        parts->notes.push_back("no launches are shown: they come from the emulator, which says: " + last_message(ending.output));
        return;
    }
    for (const Json& source : json.at("sources")) (void)parts->sources.place((project.root / source.at("file")).string(), 1, 0);
    parts->launches = json.at("launches");
    parts->sweep = json.at("sweep");
    parts->notes.emplace_back("launches, their counts and times are the emulator's, modelled for the h100; the score is this GPU's");
}

Json score_of(const Project& project, const Lab& lab, const ReportOptions& options, const Audience& audience, const GradingFolder& folder,
              ReportParts* parts, bool* compiles) {
    GradeOptions grading;
    grading.labs = {lab.name()};
    grading.solutions = options.is_solution;
    grading.from = options.from;
    grading.kept_will_do = true;
    const LabScore score = grade_lab(project, lab, grading, audience, folder);
    parts->is_interrupted = score.stopped;
    *compiles = !score.does_not_compile && !score.is_undecided;
    return score_view(score, &parts->sources);
}

}  // namespace

ReportParts report_on_lab(const Project& project, const ReportOptions& options, const StudyDevice& device) {
    if (!options.arguments.empty() || !options.include_folders.empty() || !options.defines.empty())
        throw BadInput("-I, -D and arguments after -- are for a program in one file, not for a lab");
    if (options.is_solution && !options.from.empty()) throw BadInput("--solution and --from exclude each other");
    const Lab lab = project.select_one(options.subject, "report");
    const fs::path file = file_of(project, lab, options);
    const char* const whose = options.is_solution ? "reference solution" : options.from.empty() ? "your file" : "the file handed in";
    ReportParts parts{fmt::format("Lab {}: {}", lab.number, lab.title()), fmt::format("{}, {}", lab.name(), whose),
                      ReportSources(project.root, file)};
    const std::vector<StudyAsk> asks = device.is_modelled ? asks_for(project, lab, options, device) : std::vector<StudyAsk>{};
    Progress progress;
    const Audience audience{progress, interrupted};
    if (!options.kernel.empty()) (void)find_kernel(project, lab.name(), options.kernel, "report");
    if (!device.is_modelled) add_emulated_launches(project, options, progress, &parts);
    const GradingFolder folder(project, lab);
    bool compiles = true;
    if (!options.leaves_score_out) parts.score = score_of(project, lab, options, audience, folder, &parts, &compiles);
    if (parts.is_interrupted || !compiles || asks.empty()) return parts;
    std::optional<StudyRunner> runner;
    if (options.from.empty()) {
        runner.emplace(project, lab.name(), options.is_solution, audience);
    } else {
        (void)build_targets(project.build, {sandbox_target}, audience);
        const std::optional sandbox = sandbox_of(project, "auto");
        const fs::path program = Recipe::program_in(made_in(folder.path()));
        if (!fs::exists(program)) {  // it was not graded
            const Runner compiled = compile_submission(project, lab.runner(), file, folder.path(), sandbox);
            if (compiled.program.empty()) throw BadInput(compiled.trouble);
        }
        runner.emplace(program, false, audience, sandbox);
    }
    add_launches(asks, *runner, device, progress, &parts);
    if (options.sweeps && !parts.is_interrupted) parts.sweep = sweep_view(asks.front(), *runner, device, progress, &parts);
    return parts;
}

}  // namespace lab::tools
