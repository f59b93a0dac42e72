// A sweep over a kernel of any single-file program: the program runs once per block shape, and the runtime launches the kernel with that
// shape.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/emulator/machine/demangle.h"
#include "common/findings/finding_text.h"
#include "common/tools/errors.h"
#include "common/tools/own_file.h"
#include "common/tools/process.h"
#include "common/tools/progress.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/block_shapes.h"
#include "common/tools/studies/program_launches.h"
#include "common/tools/studies/sweep.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;

// One run of the program; its launches of that kernel.
struct Run {
    std::vector<trace::Launch> launches;
    std::set<std::string> names;  // of all kernels that it launched
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
    if (options.kernel.empty()) throw BadInput(fmt::format("say which kernel, as in ./lab sweep {} transpose", options.lab));
}

}  // namespace

bool sweep_program(const Project& project, const SweepOptions& options, Sweep* sweep) {
    check_options(project, options);
    check_program_file(options.lab);
    ProgramOptions program;
    program.file = options.lab;
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
    if (!own.trouble.empty()) throw BadInput(fmt::format("{}: {}; ./lab run {} tells more", options.lab, own.trouble, options.lab));
    check_launched(options.lab, options.kernel, own.names);
    const trace::Launch& first = own.launches.at(0);
    if (first.block.z != 1) throw BadInput(fmt::format("{} runs in blocks of three dimensions; sweep changes two", options.kernel));
    const BlockShape own_block = block_of(first);
    const std::vector<BlockShape> shapes = shapes_for(options.blocks, own_block, sweep->device);
    sweep->shapes = shapes.size();
    sweep->subject = fmt::format("{}: {}, {} launch{}, by itself in blocks of {}", options.lab, options.kernel, own.launches.size(),
                                 own.launches.size() == 1 ? "" : "es", show(own_block));
    for (const trace::Launch& launch : own.launches) sweep->work.bytes += bytes_asked_for(launch);
    sweep->described = {{"file", options.lab}, {"kernel", options.kernel}, {"own_block", {own_block.x, own_block.y}}};
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
