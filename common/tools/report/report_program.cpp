// The report on any CUDA program in one file: its launches, and what was found.
#include <fmt/format.h>

#include <set>

#include "common/emulator/machine/demangle.h"
#include "common/tools/errors.h"
#include "common/tools/own_file.h"
#include "common/tools/report/launch_view.h"
#include "common/tools/report/report_parts.h"
#include "common/tools/report/score_view.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/program_launches.h"

namespace lab::tools {
namespace {

constexpr std::size_t max_launches = 12;

void check_options(const Project& project, const ReportOptions& options) {
    if (!options.size.empty() || !options.blocks.empty() || options.is_solution || options.sweeps || !options.from.empty())
        throw BadInput("--size, --block, --sweep, --from and --solution are for a lab's kernels; a program sets its own sizes");
    if (project.backend == "gpu")
        throw BadInput("a program's report comes from the emulator: ./lab --backend emulator report " + options.subject);
}

}  // namespace

ReportParts report_on_program(const Project& project, const ReportOptions& options) {
    check_options(project, options);
    const std::string name = std::filesystem::path(options.subject).filename().string();
    ReportParts parts{name, name, ReportSources(project.root, options.subject)};
    ProgramOptions program;
    program.file = options.subject;
    static_cast<ProgramWords&>(program) = options;
    program.device = options.device;
    program.emulator.records_accesses = true;
    const OwnFile launches(project.build, "report_launches");
    program.json = launches.path().string();
    const int status = run_program(project, program);
    const ProgramReport found = read_report(program.json);
    if (status != 0) parts.notes.push_back(fmt::format("the program ended with status {}", status));
    parts.findings = findings_view(found.findings, &parts.sources);
    std::set<std::string> names;
    std::size_t left_out = 0;
    for (const trace::Launch& launch : found.launches) {
        const std::string& kernel = launch.kernel;
        names.insert(machine::plain_name(kernel));
        if (!options.kernel.empty() && machine::plain_name(kernel) != options.kernel) continue;
        if (!launch.recording) continue;  // its kernel and shape were recorded before
        if (parts.launches.size() == max_launches) {
            ++left_out;
            continue;
        }
        LaunchSubject subject;
        subject.name = fmt::format("{}, grid {}, blocks {}", machine::short_name(kernel), extents(launch.grid), extents(launch.block));
        parts.launches.push_back(launch_view(launch, subject, known_device(options.device), &parts.sources));
    }
    if (names.empty() && parts.findings.empty()) check_launched(options.subject, options.kernel, names);
    if (!options.kernel.empty()) check_launched(options.subject, options.kernel, names);
    if (left_out != 0)
        parts.notes.push_back(fmt::format("{} more launches differ in kernel or shape; name a kernel to see its own", left_out));
    return parts;
}

}  // namespace lab::tools
