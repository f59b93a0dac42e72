// Profiles of a lab's kernels: counted in the emulator; on a GPU timed there, and counted by ncu on request.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "common/tools/errors.h"
#include "common/tools/own_file.h"
#include "common/tools/studies/block_shapes.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/profile.h"
#include "common/tools/studies/study_runner.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

constexpr int gpu_warm_up = 3;
constexpr int gpu_profile_repeats = 21;

std::vector<StudyAsk> asked(const Project& project, const ProfileOptions& options, const StudyDevice& device) {
    std::vector<std::string> names = options.compare;
    if (!options.kernel.empty() || names.empty()) names.insert(names.begin(), options.kernel);
    std::vector<StudyAsk> asks;
    for (const std::string& name : names) {
        const StudyKernel* const kernel = &find_kernel(project, options.subject, name, "profile");
        StudyAsk ask = ask_for(*kernel, {options.size, options.type, options.is_solution, options.emulator}, device);
        ask.block = block_for(*kernel, options.block, ask.size, device);
        ask.emulator.counts_by_line = options.shows_source;
        if (!device.is_modelled) {
            ask.warm_up = gpu_warm_up;
            ask.repeats = gpu_profile_repeats;
        }
        asks.push_back(ask);
    }
    return asks;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

// One launch that represents all: counts and times are sums, the rest is that of the longest.
std::optional<trace::Launch> main_launch(const std::vector<trace::Launch>& launches) {
    const auto longest = std::max_element(launches.begin(), launches.end(),
                                          [](const trace::Launch& a, const trace::Launch& b) { return a.modelled_ms < b.modelled_ms; });
    if (longest == launches.end()) return {};
    trace::Launch sum = *longest;
    for (auto launch = launches.begin(); launch != launches.end(); ++launch) {
        if (launch == longest) continue;
        sum.counters += launch->counters;
        sum.lines.insert(sum.lines.end(), launch->lines.begin(), launch->lines.end());
        sum.modelled_ms += launch->modelled_ms;
    }
    return sum;
}

Profile profile_of(const StudyAsk& ask, const StudyResult& result, const StudyDevice& device, bool is_solution) {
    Profile profile;
    profile.title = ask.kernel->name;
    profile.subject = fmt::format("{}, blocks {}", subject_of(ask, is_solution), show(ask.block));
    // A GPU's launches are repeats without counters: those come later, from the emulator or ncu.
    if (device.is_modelled) profile.launch = main_launch(result.launches);
    profile.launches = result.launches.size();
    profile.is_counted = profile.launch.has_value();
    if (profile.is_counted) profile.figures = figures_of(*profile.launch);
    profile.figures["time"] = median(result.times_ms);
    profile.throughput = throughput(ask.work(), profile.figures["time"], device, ask.is_double);
    profile.described = described(ask, is_solution);
    profile.described["block"] = {ask.block.x, ask.block.y};
    return profile;
}

// On a GPU the counters come from the emulator's build of the same files, if it can be built.
void add_emulated(const Project& project, const ProfileOptions& options, Profiles* profiles) {
    const OwnFile file(project.build, "profile_counters");
    Command command{{(project.root / "lab").string(), "--no-install", "--backend", "emulator", "profile", options.subject}, {}, {}};
    const auto add = [&](const std::vector<std::string>& words) { command.words.insert(command.words.end(), words.begin(), words.end()); };
    if (!options.kernel.empty()) add({options.kernel});
    if (!options.size.empty()) add({"--size", options.size});
    if (!options.block.empty()) add({"--block", options.block});
    if (options.is_solution) add({"--solution"});
    if (options.shows_source) add({"--source"});
    add({"--type", options.type, "--json", file.path().string()});
    if (!options.compare.empty()) add({"--compare"});
    add(options.compare);
    const Ending ending = run(command);
    Json json;
    if (std::ifstream stream(file.path()); ending.ok() && stream) json = Json::parse(stream, nullptr, false);
    if (!json.is_object() || json.at("kernels").size() != profiles->all.size()) {
        profiles->notes.push_back("no counters: they come from the emulator, which can't be built or run here; --hardware asks ncu");
        return;
    }
    for (std::size_t i = 0; i < profiles->all.size(); ++i) {
        const Json& launch = json.at("kernels")[i].at("launch");
        take_counters(launch.get<trace::Launch>(), &profiles->all[i]);
        profiles->all[i].launches = launch.at("launches");
    }
    profiles->notes.push_back("counters are the emulator's, for the h100; times are the GPU's, each the median of " +
                              std::to_string(gpu_profile_repeats) + " launches");
}

}  // namespace

void take_counters(const trace::Launch& emulated, Profile* profile) {
    const double measured = profile->figures["time"];
    profile->launch = emulated;
    profile->launch->modelled_ms = 0;  // time on another device, and its limit
    profile->launch->bound.clear();
    profile->figures = figures_of(*profile->launch);
    profile->figures["time"] = measured;
    profile->is_counted = true;
}

Profiles profile_kernels(const Project& project, const ProfileOptions& options, bool* is_interrupted) {
    if (!options.arguments.empty() || !options.include_folders.empty() || !options.defines.empty()) {
        throw BadInput("-I, -D and arguments after -- are for a program in one file, not for a lab's kernels");
    }
    Profiles profiles;
    profiles.device = study_device(project, options.device);
    const std::vector<StudyAsk> asks = asked(project, options, profiles.device);
    if (options.wants_hardware) check_ncu("Without --hardware the emulator counts");
    Progress progress;
    std::map<std::string, std::unique_ptr<StudyRunner>> runners;
    for (const StudyAsk& ask : asks) {
        std::unique_ptr<StudyRunner>& runner = runners[ask.kernel->lab];
        if (!runner) runner = std::make_unique<StudyRunner>(project, ask.kernel->lab, options.is_solution, Audience{progress, interrupted});
        progress.show(fmt::format("{} at size {}", ask.kernel->name, show(ask.size, ask.kernel->is_square)));
        const StudyResult result = runner->run(ask, &profiles.device);
        *is_interrupted = result.stopped;
        if (result.stopped) return profiles;
        profiles.all.push_back(profile_of(ask, result, profiles.device, options.is_solution));
        if (!result.warning.empty()) profiles.notes.push_back(result.warning);
        if (options.wants_hardware) profiles.all.back().hardware = count_on_hardware(project, *runner, ask, profiles.device);
    }
    const auto shares_words = [](const Profile& each) {
        return each.figures.count("gld_efficiency") != 0 && each.figures.at("gld_efficiency") > 100;
    };
    if (!profiles.device.is_modelled) add_emulated(project, options, &profiles);
    for (const Profile& each : profiles.all) {
        if (each.launch && each.launches > 1)
            profiles.notes.push_back(fmt::format("{} makes {} launches: their counts and times are added up", each.title, each.launches));
    }
    if (std::any_of(profiles.all.begin(), profiles.all.end(), shares_words)) {
        profiles.notes.emplace_back("gld_efficiency above 100 %: threads of a warp ask for the same word, which is moved once" +
                                    std::string(options.wants_hardware ? "; ncu counts such a word once" : ""));
    }
    return profiles;
}

}  // namespace lab::tools
