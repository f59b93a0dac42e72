#include "common/tools/studies/profile.h"

#include <fmt/format.h>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/study_output.h"
#include "common/tools/terminal.h"
#include "common/trace/json.h"

namespace lab::tools {
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
    check_files({options.json, options.svg});
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
    hand_over(text, to_json(profiles), {options.json, options.svg}, report::plot_profile);
    return is_interrupted ? exit_interrupted : exit_full_marks;
}

}  // namespace lab::tools
