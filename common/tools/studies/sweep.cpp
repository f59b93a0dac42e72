#include "common/tools/studies/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "common/emulator/machine/demangle.h"
#include "common/findings/finding_text.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/run_program.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/study_ask.h"
#include "common/tools/studies/study_runner.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;

// On a GPU the shapes alternate, so that disturbances affect all of them.
constexpr int gpu_rounds = 5;
constexpr int gpu_sweep_repeats = 3;

std::vector<BlockShape> shapes_of(const StudyKernel& kernel, const std::string& list, Size size, const StudyDevice& device) {
    if (kernel.blocks.is_own) throw BadInput(fmt::format("{} chooses its own block: there is nothing to sweep", kernel.name));
    if (list.empty()) {
        std::vector<BlockShape> legal = legal_blocks(kernel, size, device);
        if (legal.empty()) (void)block_for(kernel, "", size, device);  // reports the reason
        return legal;
    }
    std::vector<BlockShape> shapes = parse_blocks(list, "--blocks");
    for (const BlockShape block : shapes) check_block(kernel, block, size, device, "--blocks");
    return shapes;
}

// Times one shape once; false when that was interrupted.
bool run_shape(StudyRunner& runner, const StudyAsk& ask, Sweep* sweep, SweepRow* row) {
    try {
        const StudyResult result = runner.run(ask, &sweep->device);
        if (result.stopped) return false;
        row->times_ms.insert(row->times_ms.end(), result.times_ms.begin(), result.times_ms.end());
        const bool is_new = std::find(sweep->notes.begin(), sweep->notes.end(), result.warning) == sweep->notes.end();
        if (!result.warning.empty() && is_new) sweep->notes.push_back(result.warning);
    } catch (const BadInput& problem) {
        row->trouble = problem.what();
    }
    return true;
}

// All rounds over all shapes; false when interrupted.
bool run_all(StudyRunner& runner, StudyAsk ask, const std::vector<BlockShape>& shapes, const SweepOptions& options, Progress& progress,
             Sweep* sweep) {
    const int rounds = sweep->device.is_modelled ? 1 : gpu_rounds;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            if (round == 0) sweep->rows.push_back({shapes[i], {}, {}});
            SweepRow& row = sweep->rows[i];
            if (!row.trouble.empty()) continue;
            progress.show(fmt::format("{} of {} shapes, round {} of {}: {}", i + 1, shapes.size(), round + 1, rounds, show(shapes[i])));
            ask.block = shapes[i];
            if (!run_shape(runner, ask, sweep, &row)) {
                if (row.times_ms.empty()) sweep->rows.pop_back();
                return false;
            }
            if (round == 0) progress.keep(line_of(*sweep, row));
            keep_so_far(*sweep, options.json);
        }
    }
    return true;
}

bool has_ties(const std::vector<SweepRow>& rows) {
    return std::adjacent_find(rows.begin(), rows.end(), [](const SweepRow& a, const SweepRow& b) {
               return !a.times_ms.empty() && !b.times_ms.empty() && a.median_ms() == b.median_ms();
           }) != rows.end();
}

// False when interrupted.
bool sweep_kernel(const Project& project, const SweepOptions& options, Sweep* sweep) {
    if (!options.include_folders.empty() || !options.defines.empty() || !options.arguments.empty()) {
        throw BadInput("-I, -D and arguments after -- are for a program; this is a lab");
    }
    const StudyKernel& kernel = find_kernel(project, options.subject, options.kernel, "sweep");
    StudyAsk ask = ask_for(kernel, options, sweep->device);
    const std::vector<BlockShape> shapes = shapes_of(kernel, options.blocks, ask.size, sweep->device);
    sweep->subject = subject_of(ask, options.is_solution);
    sweep->work = ask.work();
    sweep->is_double = ask.is_double;
    sweep->shapes = shapes.size();
    sweep->described = described(ask, options.is_solution);
    if (!sweep->device.is_modelled) {
        ask.warm_up = 1;
        ask.repeats = gpu_sweep_repeats;
    }
    Progress progress;
    StudyRunner runner(project, kernel.lab, options.is_solution, {progress, interrupted});
    return run_all(runner, ask, shapes, options, progress, sweep);
}

// A sweep over a kernel of any single-file program: the program runs once per block shape, and the runtime launches the kernel with that
// shape. One run of the program; its launches of that kernel.
struct Run {
    std::vector<trace::Launch> launches;
    std::set<std::string> names;  // names of all launched kernels
    std::string trouble;          // reason for a failure, in a line
    bool stopped = false;
};

// The headline of the finding that ended a launch, or else of another finding of a kernel; "" if there is none.
std::string fault_in(const std::vector<Finding>& findings) {
    for (const bool stops : {true, false}) {
        for (const Finding& finding : findings) {
            if (finding.call.empty() && finding.stops == stops) return headline_of(finding);
        }
    }
    return {};
}

Run run_once(const fs::path& program, const ProgramOptions& options, const std::string& kernel) {
    fs::remove(options.json);
    const Ending ending = run(command_of(program, options), {}, interrupted);
    Run result;
    result.stopped = interrupted();
    if (result.stopped) return result;
    const ProgramReport report = read_report(options.json);
    if (!ending.ok()) {
        const std::string fault = fault_in(report.findings);
        result.trouble = fmt::format("the program ends with status {}{}{}", ending.status, fault.empty() ? "" : ": ", fault);
    }
    for (const trace::Launch& launch : report.launches) {
        const std::string name = machine::plain_name(launch.kernel);
        result.names.insert(name);
        if (name == kernel) result.launches.push_back(launch);
    }
    return result;
}

double total_ms(const std::vector<trace::Launch>& launches) {
    double ms = 0;
    for (const trace::Launch& launch : launches) ms += launch.modelled_ms;
    return ms;
}

BlockShape block_of(const trace::Launch& launch) { return {static_cast<int>(launch.block.x), static_cast<int>(launch.block.y)}; }

// The shapes to try: the given ones, or all of as many dimensions as the program's own.
std::vector<BlockShape> shapes_for(const std::string& list, BlockShape own, const StudyDevice& device) {
    StudyKernel any;
    any.name = "the kernel";
    std::vector<BlockShape> shapes = list.empty() ? legal_blocks(any, {1, 1}, device) : parse_blocks(list, "--blocks");
    if (list.empty() && own.y == 1) {
        shapes.erase(std::remove_if(shapes.begin(), shapes.end(), [](BlockShape shape) { return shape.y != 1; }), shapes.end());
    }
    for (const BlockShape shape : shapes) check_block(any, shape, {1, 1}, device, "--blocks");
    if (std::find(shapes.begin(), shapes.end(), own) == shapes.end()) shapes.push_back(own);
    return shapes;
}

void check_options(const Project& project, const SweepOptions& options) {
    if (project.backend == "gpu")
        throw BadInput("a program's blocks are changed in the emulator only: ./lab --backend emulator sweep FILE.cu KERNEL");
    if (!options.size.empty() || options.is_solution)
        throw BadInput("--size and --solution are for a lab's kernels; a program sets its own sizes");
    if (options.kernel.empty()) throw BadInput(fmt::format("say which kernel, as in ./lab sweep {} transpose", options.subject));
}

}  // namespace

std::string line_of(const Sweep& sweep, const SweepRow& row) {
    const std::string shape = fmt::format("{:>9}  {:>7}", show(row.block), row.block.threads());
    if (row.times_ms.empty()) return shape + "  " + row.trouble;
    const double amount = sweep.work.flops > 0 ? sweep.work.flops : sweep.work.bytes;
    return fmt::format("{}  {:>12}  {:>9.1f}", shape, show(row.median_ms(), Unit::ms), amount / row.median_ms() * 1e-6);
}

void keep_so_far(const Sweep& sweep, const std::string& json) {
    if (std::filesystem::is_regular_file(json)) replace_file(std::filesystem::absolute(json), to_json(sweep).dump(1) + "\n");
}

std::vector<SweepRow> sorted(std::vector<SweepRow> rows) {
    const auto key = [](const SweepRow& row) {
        return std::make_tuple(row.times_ms.empty(), row.times_ms.empty() ? 0 : row.median_ms(), row.block.x, row.block.y);
    };
    std::sort(rows.begin(), rows.end(), [&](const SweepRow& a, const SweepRow& b) { return key(a) < key(b); });
    return rows;
}

std::string table(const Sweep& sweep) {
    const bool has_flops = sweep.work.flops > 0;
    std::string text = fmt::format("{}; times are {}\n\n", sweep.subject, sweep.device.says());
    text += fmt::format("{:>9}  {:>7}  {:>12}  {:>9}  {:>9}\n", "block", "threads", "time", has_flops ? "GFLOP/s" : "GB/s", "slower by");
    const std::vector<SweepRow> rows = sorted(sweep.rows);
    for (const SweepRow& row : rows) {
        text += line_of(sweep, row);
        text += row.times_ms.empty() ? "\n" : fmt::format("  {:>8.2f}x\n", row.median_ms() / rows.front().median_ms());
    }
    if (sweep.device.is_modelled && has_ties(rows)) {
        text += "note: shapes with the same counts get the same time from the model\n";
    }
    for (const std::string& note : sweep.notes) text += "note: " + note + "\n";
    return text;
}

nlohmann::ordered_json to_json(const Sweep& sweep) {
    nlohmann::ordered_json json;
    json["study"] = "sweep";
    json["times"] = sweep.device.says();
    json.update(nlohmann::ordered_json(sweep.described));
    json["is_whole"] = sweep.rows.size() == sweep.shapes;
    json["rows"] = nlohmann::ordered_json::array();
    for (const SweepRow& row : sorted(sweep.rows)) {
        nlohmann::ordered_json entry{{"block", {row.block.x, row.block.y}}};
        if (!row.trouble.empty()) entry["trouble"] = row.trouble;
        if (!row.times_ms.empty()) {
            const Throughput rates = throughput(sweep.work, row.median_ms(), sweep.device, sweep.is_double);
            entry["ms"] = row.median_ms();
            entry["times_ms"] = row.times_ms;
            if (rates.gflop_per_s) entry["gflop_per_s"] = *rates.gflop_per_s;
            if (rates.gb_per_s) entry["gb_per_s"] = *rates.gb_per_s;
        }
        json["rows"].push_back(std::move(entry));
    }
    json["notes"] = sweep.notes;
    return json;
}

int sweep(const Project& project, const SweepOptions& options) {
    check_files(options);
    check_emulator_options(project, options.emulator);
    keep_going_on_interrupt();
    Sweep result;
    result.device = study_device(project, options.device);
    const bool is_whole = is_program(options.subject) ? sweep_program(project, options, &result) : sweep_kernel(project, options, &result);
    for (std::string& note : notes_on(options.emulator)) result.notes.push_back(std::move(note));
    const auto has_times = [](const SweepRow& row) { return !row.times_ms.empty(); };
    const bool is_any = std::any_of(result.rows.begin(), result.rows.end(), has_times);
    if (is_whole && !is_any) throw BadInput(result.rows.front().trouble);
    std::string text = table(result);
    if (!is_whole) text += fmt::format("interrupted: {} of {} shapes were tried\n", result.rows.size(), result.shapes);
    hand_over(text, to_json(result), options, report::plot_sweep);
    return is_whole ? exit_full_marks : exit_interrupted;
}

bool sweep_program(const Project& project, const SweepOptions& options, Sweep* sweep) {
    check_options(project, options);
    check_program_file(options.subject);
    ProgramOptions program;
    program.file = options.subject;
    program.device = options.device;
    static_cast<ProgramWords&>(program) = options;
    program.emulator = options.emulator;
    const OwnFile launches(project.build, "sweep_launches");
    program.json = launches.path().string();
    const fs::path compiled = compile_program(project, program);
    Progress progress;
    progress.show("the program as it is");
    const Run own = run_once(compiled, program, options.kernel);
    if (own.stopped) return false;
    if (!own.trouble.empty()) throw BadInput(fmt::format("{}: {}; ./lab run {} tells more", options.subject, own.trouble, options.subject));
    check_launched(options.subject, options.kernel, own.names);
    const trace::Launch& first = own.launches.at(0);
    if (first.block.z != 1) throw BadInput(fmt::format("{} runs in blocks of three dimensions; sweep changes two", options.kernel));
    const BlockShape own_block = block_of(first);
    const std::vector<BlockShape> shapes = shapes_for(options.blocks, own_block, sweep->device);
    sweep->shapes = shapes.size();
    sweep->subject = fmt::format("{}: {}, {} launch{}, by itself in blocks of {}", options.subject, options.kernel, own.launches.size(),
                                 own.launches.size() == 1 ? "" : "es", show(own_block));
    for (const trace::Launch& launch : own.launches) sweep->work.bytes += bytes_asked_for(launch);
    sweep->described = {{"file", options.subject}, {"kernel", options.kernel}, {"own_block", {own_block.x, own_block.y}}};
    sweep->notes.emplace_back("blocks cover the threads of the program's own launch; bandwidth: bytes that those ask for");
    sweep->notes.emplace_back("whether another shape still gives the right result only the program can tell, by its exit status");
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        progress.show(fmt::format("{} of {} shapes: {}", i + 1, shapes.size(), show(shapes[i])));
        program.emulator.reshape = {options.kernel, static_cast<unsigned>(shapes[i].x), static_cast<unsigned>(shapes[i].y)};
        const Run run = run_once(compiled, program, options.kernel);
        if (run.stopped) return false;
        SweepRow row{shapes[i], {}, run.trouble};
        if (row.trouble.empty() && run.launches.size() == own.launches.size()) row.times_ms.push_back(total_ms(run.launches));
        if (row.trouble.empty() && row.times_ms.empty())
            row.trouble = fmt::format("{} of {} launches came about", run.launches.size(), own.launches.size());
        progress.keep(line_of(*sweep, row));
        sweep->rows.push_back(std::move(row));
        keep_so_far(*sweep, options.json);
    }
    return true;
}

}  // namespace lab::tools
