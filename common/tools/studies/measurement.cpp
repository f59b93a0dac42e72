#include "common/tools/studies/measurement.h"

#include <fmt/format.h>

#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/run_program.h"
#include "common/tools/terminal.h"

namespace lab::tools {

void check_repeats(std::int64_t repeats) {
    constexpr std::int64_t max_repeats = 1000;
    if (repeats < 1 || repeats > max_repeats) throw BadInput(fmt::format("--repeats {}: give 1 to {}", repeats, max_repeats));
}

Measured measure(const Project& project, const Measurement& measurement) {
    ProgramOptions options;
    options.file = (project.root / measurement.file).string();
    options.include_folders = {project.root.string()};
    options.device = measurement.device;
    options.emulator = measurement.emulator;
    options.emulator.checks = emulator::Checks::none();           // they are tested
    options.emulator.max_instructions = std::uint64_t{1} << 60U;  // programs of ours end, however large what they were asked for
    options.json = measurement.launches;
    options.arguments = measurement.arguments;
    const std::filesystem::path program = compile_program(project, options);

    const std::string name = std::filesystem::path(measurement.file).filename();
    Measured measured;
    std::string refusal;
    Progress progress;
    const auto see = [&](const std::string& line) {
        nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
        if (!object.is_object()) return;
        if (object.contains("refused")) {
            refusal = object.at("refused").get<std::string>();
        } else if (object.contains("no_gpu")) {
            refusal = fmt::format("no GPU answers: {}{}", object.at("no_gpu").get<std::string>(), measurement.without_gpu);
        } else if (measured.about.is_null()) {
            measured.about = std::move(object);
        } else {
            measured.results.push_back(std::move(object));
            const std::string of = measurement.planned == 0 ? "" : fmt::format(" of {}", measurement.planned);
            progress.show(fmt::format("{} ({}{}); Ctrl-C ends it and keeps them", measurement.progress(measured.results.back()),
                                      measured.results.size(), of));
        }
    };
    keep_going_on_interrupt();
    const Ending ending = run(command_of(program, options), see, [] { return interrupted(); });
    measured.is_interrupted = ending.stopped;
    if (!refusal.empty()) throw BadInput(refusal);
    if (!ending.ok() && !ending.stopped) {
        throw BadInput(fmt::format("{} ended with status {}: {}", name, ending.status, ending.output));
    }
    if (measured.about.is_null() && !ending.stopped) throw BadInput(fmt::format("{} told nothing: {}", name, ending.output));
    return measured;
}

}  // namespace lab::tools
