#include "common/emulator/server/start_and_exit.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "common/emulator/devices/device_file.h"
#include "common/emulator/options.h"
#include "common/emulator/server/kernel_run.h"
#include "common/emulator/server/peer.h"

namespace lab::cuda {
namespace {

constexpr int bad_input = 2;
constexpr int found_fault = 70;  // EX_SOFTWARE

struct EnvironmentOptions {
    std::string json;
    bool wants_table = false;
    bool exits_on_fault = false;
};
EnvironmentOptions& environment_options() {
    static auto* const kept = new EnvironmentOptions;
    return *kept;
}

[[noreturn]] void refuse(const std::string& line) { throw BadStart(line); }

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? std::string() : text;
}

// Launches and findings; false, with a line on stderr, where the file can't be written.
bool write_json(const std::string& path, const RuntimeState& state) {
    std::vector<Finding> findings = state.kernel_findings;
    findings.insert(findings.end(), state.api_findings.begin(), state.api_findings.end());
    std::ofstream file(path);
    file << to_json(state.all_launches, findings).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    if (!file) say(STDERR_FILENO, path + ": cannot be written: " + std::strerror(errno) + "\n");
    return static_cast<bool>(file);
}

}  // namespace

void end_program(RuntimeState& state) {
    finish_kernel_beside(state);
    int status = 0;
    if (environment_options().wants_table) say(STDERR_FILENO, to_table(state.all_launches));
    if (environment_options().exits_on_fault) {
        Session::instance().end_watch();
        const std::string leaks = state.options.checks.api ? Session::instance().leak_report() : "";
        if (!leaks.empty()) say(STDERR_FILENO, leaks + "\n");
        if (state.shuffles_from_ended)
            say(STDERR_FILENO, "not checked: shuffles from threads that have ended, whose values are undefined; --check all finds them\n");
        if (state.assumes_lockstep) say(STDERR_FILENO, "not checked: races of volatile accesses within a warp; --check all finds them\n");
    }
    if (!environment_options().json.empty() && !write_json(environment_options().json, state)) status = bad_input;
    if (environment_options().exits_on_fault) {
        // Public samples leak, and ask for no launch's error: that fails a program only where it was asked for.
        const emulator::Checks& checks = state.options.checks;
        const bool was_asked_for = checks.is_chosen && (checks.api || checks.host);
        if (state.had_kernel_finding || (state.had_misuse && was_asked_for)) status = found_fault;
    }
    if (status != 0 && peer() != nullptr) peer()->exit(status);
}

namespace {

// Reads the options that the environment sets.
void read_options(Options* options) {
    for (const emulator::OptionRow& row : emulator::option_rows()) {
        const char* const text = std::getenv(row.environment().c_str());
        if (text == nullptr) continue;
        try {
            row.set(*options, text);
        } catch (const emulator::BadOption& problem) {
            refuse(row.environment() + "=" + text + ": " + problem.what());
        }
    }
}

}  // namespace

void apply_environment(RuntimeState& state) {
    read_options(&state.options);
    try {
        state.device = &devices::device_of(state.options.device);
    } catch (const devices::BadDevice& problem) {
        refuse(emulator::option_row("device").environment() + ": " + problem.what());
    }
    environment_options().json = variable("LAB_JSON");
    environment_options().wants_table = variable("LAB_REPORT") == "1";
    environment_options().exits_on_fault = variable("LAB_EXIT_ON_FAULT") == "1";
    state.keeps_all_launches = !environment_options().json.empty() || environment_options().wants_table;
    state.explains_misuse = environment_options().exits_on_fault;
    state.reports_at_end = state.keeps_all_launches || environment_options().exits_on_fault;
}

}  // namespace lab::cuda
