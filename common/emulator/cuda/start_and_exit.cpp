#include "common/emulator/cuda/start_and_exit.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "common/emulator/cuda/kernel_run.h"
#include "common/emulator/cuda/launch_report.h"
#include "common/emulator/devices/device_file.h"

namespace lab::cuda {
namespace {

constexpr int bad_input = 2;
constexpr int found_fault = 70;  // EX_SOFTWARE

struct EnvironmentOptions {
    std::string json;
    bool wants_table = false;
    bool exits_on_fault = false;
    std::optional<std::set<std::string>> checks;  // the chosen ones; otherwise the defaults
    [[nodiscard]] bool has_chosen(const std::string& check) const {
        return checks && (checks->count(check) != 0 || checks->count("all") != 0);
    }
};
EnvironmentOptions& environment_options() {
    static auto* const kept = new EnvironmentOptions;
    return *kept;
}

[[noreturn]] void refuse(const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
    std::_Exit(bad_input);
}

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? std::string() : text;
}

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const std::string text = variable(name);
    if (text.empty()) return otherwise;
    char* end = nullptr;
    errno = 0;
    const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
    if (errno != 0 || *end != '\0' || text[0] == '-') refuse(std::string(name) + "=" + text + ": give a whole number from 0 up");
    return value;
}

// The parts between commas.
std::set<std::string> split(const std::string& list) {
    std::set<std::string> parts;
    std::istringstream stream(list);
    for (std::string part; std::getline(stream, part, ',');) parts.insert(part);
    return parts;
}

// Launches and findings; false, with a line on stderr, if the file can't be written.
bool write_json(const std::string& path, const RuntimeState& state) {
    std::vector<Finding> findings = state.kernel_findings;
    findings.insert(findings.end(), state.api_findings.begin(), state.api_findings.end());
    std::ofstream file(path);
    file << to_json(state.all_launches, findings).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    if (!file) std::fprintf(stderr, "%s: cannot be written: %s\n", path.c_str(), std::strerror(errno));
    return static_cast<bool>(file);
}

void at_exit() {
    RuntimeState& state = runtime();
    finish_kernel_beside(state);
    std::fflush(nullptr);
    std::cout.flush();
    int status = 0;
    if (environment_options().wants_table) std::fputs(to_table(state.all_launches).c_str(), stderr);
    if (environment_options().exits_on_fault) {
        Session::instance().end_watch();
        const std::string leaks = state.options.api ? Session::instance().leak_report() : "";
        if (!leaks.empty()) std::fprintf(stderr, "%s\n", leaks.c_str());
    }
    if (!environment_options().json.empty() && !write_json(environment_options().json, state)) status = bad_input;
    if (environment_options().exits_on_fault) {
        // Public samples leak, and ignore launch errors: a program fails for that only if the check was requested.
        const bool was_asked_for = environment_options().has_chosen("api") || environment_options().has_chosen("host");
        if (state.had_kernel_finding || (state.had_misuse && was_asked_for)) status = found_fault;
    }
    std::fflush(nullptr);
    if (status != 0) std::_Exit(status);
}

std::set<std::string> checks_named(const std::string& list) {
    static const std::set<std::string> known{"races", "init", "barriers", "bounds", "api", "host", "all", "none"};
    std::set<std::string> names = split(list);
    for (const std::string& name : names) {
        if (known.count(name) == 0)
            refuse("--check " + name + ": there is no such check; there is races, init, barriers, bounds, api, host, all and none");
    }
    return names;
}

// "transpose=32x8"
Options::Reshape reshape_in(const std::string& text) {
    Options::Reshape reshape;
    if (text.empty()) return reshape;
    const std::size_t equals = text.find('=');
    char rest = 0;
    if (equals == 0 || equals == std::string::npos || std::sscanf(text.c_str() + equals, "=%ux%u%c", &reshape.x, &reshape.y, &rest) != 2 ||
        reshape.x == 0 || reshape.y == 0) {
        refuse("LAB_BLOCKS=" + text + ": give a kernel and a block, as in transpose=32x8");
    }
    reshape.kernel = text.substr(0, equals);
    return reshape;
}

// Checks of kernels.
machine::Checks kernel_checks(const EnvironmentOptions& chosen) {
    machine::Checks checks;
    checks.races = checks.global_races = chosen.has_chosen("races");
    if (checks.races) checks.lockstep = false;
    checks.initialisation = chosen.has_chosen("init");
    checks.barriers = chosen.has_chosen("barriers");
    checks.bounds = chosen.has_chosen("bounds");
    return checks;
}

}  // namespace

void apply_environment(RuntimeState& state) {
    Options& options = state.options;
    const std::string device = variable("LAB_DEVICE");
    if (!device.empty()) options.device = device;
    try {
        state.device = &devices::device_of(options.device);
    } catch (const devices::BadDevice& problem) {
        refuse(std::string("LAB_DEVICE: ") + problem.what());
    }
    options.threads = static_cast<unsigned>(number("LAB_THREADS", 0));
    options.max_instructions = number("LAB_MAX_INSTRUCTIONS", 0);
    options.counts_by_line = variable("LAB_LINES") == "1";
    options.cold = variable("LAB_COLD") == "1";
    options.max_blocks = number("LAB_MOST_BLOCKS", 0);
    options.reshape = reshape_in(variable("LAB_BLOCKS"));
    const std::string order = variable("LAB_ORDER");
    if (order == "reversed") options.order = machine::Order::reversed;
    if (!order.empty() && order != "reversed" && order != "forward") refuse("LAB_ORDER=" + order + ": the orders are forward and reversed");
    if (std::getenv("LAB_CHECK") != nullptr) {
        environment_options().checks = checks_named(variable("LAB_CHECK"));
        options.checks = kernel_checks(environment_options());
        options.api = environment_options().has_chosen("api");
        options.host = environment_options().has_chosen("host");
    }
    environment_options().json = variable("LAB_JSON");
    environment_options().wants_table = variable("LAB_REPORT") == "1";
    environment_options().exits_on_fault = variable("LAB_EXIT_ON_FAULT") == "1";
    state.keeps_all_launches = !environment_options().json.empty() || environment_options().wants_table;
    state.explains_misuse = environment_options().exits_on_fault;
    // Registered before the program's globals exist, so it runs after their destructors.
    if (state.keeps_all_launches || environment_options().exits_on_fault) std::atexit(at_exit);
}

}  // namespace lab::cuda
