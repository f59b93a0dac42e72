// `lab profile`: counters of a kernel's launch by the names of nvprof and ncu, its time and its limit.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/figures.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/study_ask.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct ProfileOptions : KernelOptions, StudyFiles {
    std::vector<std::string> compare;  // more of the lab's kernels, or "lab<n>/matmul_global"
    std::string block;
    bool shows_source = false;
    bool wants_hardware = false;
};

// One kernel's column.
struct Profile {
    std::string title;    // "matmul_tiled"
    std::string subject;  // "lab<n>/matmul_tiled, your file, size 512 of float, blocks 32x32"
    Figures figures;
    std::optional<Figures> hardware;  // counted by ncu
    Throughput throughput;
    bool is_counted = false;  // the figures hold counters, not only a time
    // The emulator's, with lines if requested: counts and times are the sums of all its launches, the rest that of the longest.
    std::optional<trace::Launch> launch;
    std::size_t launches = 1;
    nlohmann::json described;  // identification for JSON: lab, kernel, size ...
};

struct Profiles {
    std::vector<Profile> all;
    StudyDevice device;
    std::vector<std::string> notes;  // lines below the table
};

// Returns 0, or 130 when it was interrupted. Throws BadInput.
[[nodiscard]] int profile(const Project& project, const ProfileOptions& options);

// Profiles of a lab's kernels.
[[nodiscard]] Profiles profile_kernels(const Project& project, const ProfileOptions& options, bool* is_interrupted);
[[nodiscard]] Profiles profile_program(const Project& project, const ProfileOptions& options);
// Adds the emulator's counts to a launch that a GPU has timed.
void take_counters(const trace::Launch& emulated, Profile* profile);
// Profiles of launches from a program's run, or counted by ncu: one for each kernel and shape, the first of each.
[[nodiscard]] std::vector<Profile> profiles_of(const std::vector<trace::Launch>& launches, const std::string& kernel,
                                               const std::string& file);
[[nodiscard]] std::vector<Profile> profiles_of(const std::vector<HardwareLaunch>& launches, const std::string& kernel,
                                               const std::string& file);
// ... and what is shown of them.
[[nodiscard]] std::string table(const Profiles& profiles, std::size_t width);
[[nodiscard]] std::string source_table(const Profile& profile, std::size_t width);
[[nodiscard]] nlohmann::ordered_json to_json(const Profiles& profiles);

}  // namespace lab::tools
