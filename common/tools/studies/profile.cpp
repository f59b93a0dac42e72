#include "common/tools/studies/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/run_program.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/study_ask.h"
#include "common/tools/studies/study_runner.h"
#include "common/tools/terminal.h"
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
        StudyAsk ask = ask_for(*kernel, options, device);
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

// One launch that represents all: counts and times are sums, the rest is that of the longest.
std::optional<trace::Launch> main_launch(const std::vector<trace::Launch>& launches) {
    const auto longest = std::ranges::max_element(launches, {}, &trace::Launch::modelled_ms);
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
    Command command{{(project.root / "lab").string(), "--no-install", "--backend", "emulator", "profile", options.subject}};
    if (!options.kernel.empty()) command.add({options.kernel});
    if (!options.size.empty()) command.add({"--size", options.size});
    if (!options.block.empty()) command.add({"--block", options.block});
    if (options.is_solution) command.add({"--solution"});
    if (options.shows_source) command.add({"--source"});
    command.add({"--type", options.type, "--json", file.path().string()});
    if (!options.compare.empty()) command.add({"--compare"});
    command.add(options.compare);
    const Ending ending = run(command);
    const Json json = ending.ok() ? read_json(file.path()) : Json();
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

nlohmann::ordered_json to_json(const Profiles& profiles) {
    nlohmann::ordered_json json;
    json["study"] = "profile";
    json["times"] = profiles.device.says();
    json["peaks"] = {{"gb_per_s", profiles.device.memory_gb_per_s}};
    for (const Profile& profile : profiles.all) {
        nlohmann::ordered_json entry = profile.described;
        entry["figures"] = profile.figures;
        if (profile.hardware) entry["hardware"] = *profile.hardware;
        if (profile.throughput.gflop_per_s) entry["gflop_per_s"] = *profile.throughput.gflop_per_s;
        const bool is_double = entry.value("type", "float") == "double";
        if (profile.throughput.gflop_per_s)
            entry["peak_gflop_per_s"] = is_double ? profiles.device.double_gflop_per_s : profiles.device.float_gflop_per_s;
        if (profile.throughput.gb_per_s) entry["gb_per_s"] = *profile.throughput.gb_per_s;
        if (profile.throughput.roofline) {
            entry["share_of_roofline"] = *profile.throughput.roofline;
            entry["roofline_side"] = profile.throughput.side;
        }
        if (profile.launch) {
            nlohmann::json launch = *profile.launch;
            launch["launches"] = profile.launches;
            // Of counts beside a time that was measured: the model's is another device's.
            if (profile.launch->bound.empty()) {
                launch.erase("modelled_ms");
                launch.erase("bound");
            }
            entry["launch"] = launch;
        }
        json["kernels"].push_back(std::move(entry));
    }
    json["notes"] = profiles.notes;
    return json;
}

int profile(const Project& project, const ProfileOptions& options) {
    if (options.wants_hardware && project.backend != "gpu") {
        throw BadInput(
            "--hardware needs a GPU with Nsight Compute (ncu): ./lab --backend gpu profile ... --hardware, on a machine that has them");
    }
    check_files(options);
    check_emulator_options(project, options.emulator);
    keep_going_on_interrupt();
    bool is_interrupted = false;
    Profiles profiles =
        is_program(options.subject) ? profile_program(project, options) : profile_kernels(project, options, &is_interrupted);
    for (std::string& note : notes_on(options.emulator)) profiles.notes.push_back(std::move(note));
    const std::size_t width = terminal_of(stdout).width;
    std::string text = profiles.all.empty() ? "" : table(profiles, width);
    if (options.shows_source) {
        for (const Profile& each : profiles.all) text += "\n" + source_table(each, width);
    }
    if (is_interrupted) text += "interrupted: the table holds what was done\n";
    hand_over(text, to_json(profiles), options, report::plot_profile);
    return is_interrupted ? exit_interrupted : exit_full_marks;
}

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
