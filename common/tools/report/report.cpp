#include "common/tools/report/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <set>

#include "common/emulator/machine/demangle.h"
#include "common/report/page.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/report/launch_view.h"
#include "common/tools/report/sources.h"
#include "common/tools/run_program.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/study_output.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_bytes = 4'500'000;  // bytes of data; a page of 5 MB opens at once

std::string command_line(const ReportOptions& options) {
    std::string line = "./lab report " + fs::path(options.subject).filename().string();
    if (!options.kernel.empty()) line += " " + options.kernel;
    if (!options.from.empty()) line += " --from " + fs::path(options.from).filename().string();
    if (!options.device.empty()) line += " --device " + options.device;
    for (const std::string& word : words_about_kernels(options)) line += " " + word;
    return line;
}

Json made(const Project& project, const ReportOptions& options, const devices::Device& device) {
    const int capability = 10 * device.major + device.minor;
    return {{"version", LAB_VERSION},
            {"date", fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)))},
            {"backend", project.backend},
            {"architecture", LAB_ARCHITECTURE},
            {"command", command_line(options)},
            {"device",
             {{"id", device.id},
              {"name", device.name},
              {"compute_capability", capability},
              {"banks", device.shared_banks},
              {"bank_bytes", 4},
              {"sector_bytes", 32},
              {"line_bytes", 128},
              {"lanes_per_request", capability < 20 ? 16 : 32},
              {"sms", device.sm_count}}}};
}

// Paths of this machine's folders are nobody else's business.
void remove_folders(const ReportSources& sources, Json* json) {
    if (json->is_string()) {
        *json = sources.without_folders(json->get<std::string>());
    } else if (json->is_structured()) {
        for (Json& part : *json) remove_folders(sources, &part);
    }
}

// Leaves out words of shared memory, of later launches and blocks first, until the whole is small enough.
void shorten(Json* report) {
    Json& launches = report->at("launches");
    for (std::size_t first_block : {1, 0}) {
        for (std::size_t i = launches.size(); i-- > 0 && report->dump().size() > max_bytes;) {
            Json kept = Json::array();
            for (Json& interval : launches[i].at("shared")) {
                if (interval.at("block").get<std::size_t>() < first_block) kept.push_back(std::move(interval));
            }
            if (kept.size() == launches[i].at("shared").size()) continue;
            launches[i]["shared"] = std::move(kept);
            std::string note = launches[i].at("recording_note");
            launches[i]["recording_note"] =
                note + (note.empty() ? "" : " ") + "Shared memory of some blocks is left out: the page would be too large.";
        }
    }
}

Json whole(const Project& project, const ReportOptions& options, ReportParts& parts, const devices::Device& device) {
    Json report = {{"schema", 1},
                   {"made", made(project, options, device)},
                   {"title", parts.title},
                   {"subject", parts.subject},
                   {"notes", parts.notes},
                   {"score", std::move(parts.score)},
                   {"findings", std::move(parts.findings)},
                   {"counters", counter_rows()},
                   {"launches", std::move(parts.launches)},
                   {"sweep", std::move(parts.sweep)}};
    remove_folders(parts.sources, &report);
    report["sources"] = parts.sources.to_json();
    shorten(&report);
    return report;
}

std::string summary(const Json& report) {
    std::string text;
    if (const Json& score = report.at("score"); !score.is_null())
        text += fmt::format("{:g} of {:g} points, ", score.at("points").get<double>(), score.at("of").get<double>());
    const std::size_t launches = report.at("launches").size();
    return text + fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
}

constexpr std::size_t max_launches = 12;

void check_options(const Project& project, const ReportOptions& options) {
    if (!options.size.empty() || !options.blocks.empty() || options.is_solution || options.sweeps || !options.from.empty())
        throw BadInput("--size, --block, --sweep, --from and --solution are for a lab's kernels; a program sets its own sizes");
    if (project.backend == "gpu")
        throw BadInput("a program's report comes from the emulator: ./lab --backend emulator report " + options.subject);
}

}  // namespace

std::vector<std::string> words_about_kernels(const ReportOptions& options) {
    std::vector<std::string> words;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {name, value});
    };
    add("--size", options.size);
    add("--block", options.blocks);
    add("--type", options.type == ReportOptions{}.type ? "" : options.type);
    if (options.is_solution) words.emplace_back("--solution");
    if (options.sweeps) words.emplace_back("--sweep");
    return words;
}

int report(const Project& project, const ReportOptions& options) {
    if (options.subject.empty()) throw BadInput("say which lab or program, ./lab report LAB or ./lab report FILE.cu");
    const bool on_program = is_program(options.subject);
    check_result_file("--out", options.out);
    check_json_option(options.json);
    const StudyDevice device = study_device(project, options.device);
    keep_going_on_interrupt();
    ReportParts parts = on_program ? report_on_program(project, options) : report_on_lab(project, options, device);
    if (parts.is_interrupted) {
        fmt::print("interrupted: no report was written\n");
        return exit_interrupted;
    }
    const Json json = whole(project, options, parts, known_device(options.device));
    try {
        write_result("--out", options.out,
                     report::page(project.root / "common/report/page", parts.title,
                                  json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    } catch (const report::BadPage& problem) {
        throw BadInput(fmt::format("the report's page can't be made (this is not your mistake): {}", problem.what()));
    }
    std::string text = fmt::format("{}: {}, {}\n", options.out, parts.subject, summary(json));
    for (const std::string& note : parts.notes) text += "note: " + note + "\n";
    // In one line, unlike what studies write: there is much of it.
    const std::string data = options.json.empty() ? "" : json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (options.json != "-") print_folded(text);
    if (options.json == "-") fmt::print("{}", data);
    if (!options.json.empty() && options.json != "-") write_result("--json", options.json, data);
    return exit_full_marks;
}

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
