#include "common/tools/run_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "common/tools/cuda_compilers.h"
#include "common/tools/diagnostics.h"
#include "common/tools/errors.h"
#include "common/tools/grading_folder.h"
#include "common/tools/process.h"
#include "common/tools/recipe.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/terminal.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

CompilerOptions flags_of(const ProgramOptions& options) {
    if (!options.compiler.problem.empty()) throw BadInput(options.compiler.problem);
    CompilerOptions all = options.compiler;
    std::vector<std::string>& flags = all.both;
    for (const std::string& folder : options.include_folders) {
        if (!fs::is_directory(folder)) throw BadInput(fmt::format("-I {}: no such folder", folder));
        flags.push_back("-I" + fs::absolute(folder).string());
    }
    for (const std::string& define : options.defines) flags.push_back("-D" + define);
    if (!options.standard.empty()) flags.push_back("-std=" + options.standard);
    if (!options.optimisation.empty()) {
        if (options.optimisation.size() != 1 || options.optimisation[0] < '0' || options.optimisation[0] > '3') {
            throw BadInput(fmt::format("-O{}: the levels are 0, 1, 2 and 3", options.optimisation));
        }
        flags.push_back("-O" + options.optimisation);
    }
    return all;
}

// Whether the program in `folder` is newer than all its inputs.
bool up_to_date(const fs::path& folder, const std::vector<Command>& commands) {
    std::error_code error;
    const auto made = fs::last_write_time(Recipe::program_in(folder), error);
    if (error) return false;
    std::vector<std::string> inputs;
    std::size_t depfiles = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".d") continue;
        ++depfiles;
        for (std::string& file : files_in_depfile(entry.path())) inputs.push_back(std::move(file));
    }
    for (const std::string& word : commands.back().words) {
        const fs::path path = fs::path(commands.back().folder) / word;
        if (path.extension() == ".a" || path.extension() == ".o") inputs.push_back(path.string());
    }
    for (const std::string& input : inputs) {
        const auto changed = fs::last_write_time(fs::path(commands.back().folder) / input, error);
        if (error || changed > made) return false;
    }
    return depfiles > 0;
}

std::vector<std::pair<std::string, std::string>> whole_environment(const ProgramOptions& options) {
    std::vector<std::pair<std::string, std::string>> environment = environment_of(options.emulator);
    environment.emplace_back("LAB_EXIT_ON_FAULT", "1");
    environment.emplace_back("LAB_SOURCE", fs::absolute(options.file).string());
    if (!options.json.empty()) environment.emplace_back("LAB_JSON", fs::absolute(options.json).string());
    if (options.report) environment.emplace_back("LAB_REPORT", "1");
    if (!options.device.empty()) {
        environment.emplace_back(emulator::option_row("device").environment(), known_device(options.device).found_as);
    }
    return environment;
}

}  // namespace

fs::path compile_program(const Project& project, const ProgramOptions& options) {
    const fs::path file = fs::absolute(options.file);
    Progress progress;
    const Ending runtime = build_targets(project.build, {"lab_program"}, {progress, {}});
    if (!runtime.ok()) throw BadInput("the project's own runtime does not build:\n" + runtime.output);
    const Recipe recipe(project.build, "lab_program");
    const CompilerOptions flags = flags_of(options);
    const auto commands_in = [&](const fs::path& folder) {
        std::vector<Command> commands = recipe.commands_for(file, folder, flags);
        if (!options.ptx.empty()) take_kernels_from(options.ptx, &commands);
        return commands;
    };
    // Other flags, the user's or the build's, give another program.
    std::string all_words;
    for (const Command& command : commands_in(project.build)) all_words += fmt::format("{}\n", fmt::join(command.words, "\n"));
    const std::size_t key = std::hash<std::string>{}(all_words);
    const fs::path folder = project.build / "programs" / fmt::format("{}-{:016x}", file.stem().string(), key);
    const std::vector<Command> commands = commands_in(folder);
    fs::create_directories(folder);
    // Two commands at once, on one program: the second waits for what the first compiles.
    const BuildLock lock(folder / ".lock", {progress, [] { return interrupted(); }});
    if (!lock.is_held()) throw BadInput("interrupted before " + options.file + " was compiled");
    // No depfile lists the inputs of external PTX.
    if (options.ptx.empty() && up_to_date(folder, commands)) return Recipe::program_in(folder);
    progress.show("compiling " + options.file);
    EditedFiles edited;
    std::set<std::string> seen;
    for (const Command& command : commands) {
        if (options.verbose) fmt::print(stderr, "{}\n", fmt::join(command.words, " "));
        const Ending step = run_pass(command, file, folder, &edited);
        if (!step.ok()) {
            const auto refusal = refusal_in(step.output);
            throw BadInput(refusal ? *refusal : fmt::format("{} does not compile:\n{}", options.file, new_messages(step.output, &seen)));
        }
        fmt::print(stderr, "{}", new_messages(step.output, &seen));  // warnings
    }
    return Recipe::program_in(folder);
}

bool is_program(const std::string& subject) {
    const fs::path path(subject);
    if (path.extension() == ".cu") return true;
    if (fs::is_regular_file(path)) throw BadInput(fmt::format("{}: not a CUDA program; name a .cu file or a lab", subject));
    return false;
}

void check_program_file(const std::string& file) {
    if (!fs::exists(file)) throw BadInput(fmt::format("{}: no such file", file));
    if (!fs::is_regular_file(file)) throw BadInput(fmt::format("{}: not a file; name one .cu file", file));
    if (!std::ifstream(file)) throw BadInput(fmt::format("{}: can't be read", file));
}

Command command_of(const fs::path& program, const ProgramOptions& options) {
    Command command{{program.string()}, {}, whole_environment(options)};
    command.add(options.arguments);
    return command;
}

int run_program(const Project& project, const ProgramOptions& options) {
    check_program_file(options.file);
    if (project.backend == "gpu" && (!options.json.empty() || options.report || !options.device.empty() || !options.ptx.empty())) {
        throw BadInput("--json, --report, --device and --ptx need the emulator: ./lab --backend emulator run ...");
    }
    check_emulator_options(project, options.emulator);
    if (!options.json.empty()) check_result_file("--json", options.json);
    const fs::path program = compile_program(project, options);
    keep_going_on_interrupt();
    const Ending ending = run_in_terminal(command_of(program, options));
    if (ending.signal != 0) {
        fmt::print(stderr, "lab: {} was ended by SIG{} ({})\n", options.file, sigabbrev_np(ending.signal), strsignal(ending.signal));
    }
    return ending.status;
}

ProgramReport read_report(const std::filesystem::path& file) {
    const nlohmann::json json = read_json(file);
    ProgramReport report;
    if (!json.is_object()) return report;
    json.at("launches").get_to(report.launches);
    json.at("findings").get_to(report.findings);
    return report;
}

std::string extents(const trace::Size& shape) {
    return fmt::format("{}x{}", shape.x, shape.y) + (shape.z != 1 ? fmt::format("x{}", shape.z) : "");
}

double bytes_asked_for(const trace::Launch& launch) {
    return static_cast<double>(launch.counters.global_load.bytes + launch.counters.global_store.bytes);
}

void check_launched(const std::string& file, const std::string& kernel, const std::set<std::string>& names) {
    if (names.empty()) throw BadInput(fmt::format("{}: it launched no kernel", file));
    if (!kernel.empty() && names.count(kernel) == 0)
        throw BadInput(fmt::format("{}: it launched no kernel '{}'; it launched: {}", file, kernel, fmt::join(names, ", ")));
}

}  // namespace lab::tools
