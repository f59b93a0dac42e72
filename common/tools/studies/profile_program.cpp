// Profiles of the launches of any single-file CUDA program, through `lab run`, or ncu on a GPU.
#include <fmt/format.h>

#include <array>
#include <set>

#include "common/emulator/machine/demangle.h"
#include "common/tools/errors.h"
#include "common/tools/run_program.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/profile.h"

namespace lab::tools {
namespace {

constexpr std::size_t max_columns = 6;

trace::Size size_of(const std::array<unsigned, 3>& shape) { return {shape[0], shape[1], shape[2]}; }

// A column for the first launch of each kernel and shape, of one kernel or of all.
class Columns {
public:
    Columns(std::string kernel, std::string file) : kernel_(std::move(kernel)), file_(std::move(file)) {}

    // The new column, named and described; null if it exists already, or another kernel is requested.
    Profile* add(const std::string& full, const trace::Size& grid, const trace::Size& block) {
        const std::string name = machine::plain_name(full);
        names_.insert(name);
        if (!kernel_.empty() && name != kernel_) return nullptr;
        if (!seen_.insert(full + " " + extents(grid) + " " + extents(block)).second) return nullptr;
        Profile profile;
        profile.title = machine::short_name(full);
        profile.subject = fmt::format("{}: {}, grid {}, blocks {}", file_, profile.title, extents(grid), extents(block));
        profile.described = {{"file", file_}, {"kernel", full}, {"grid", {grid.x, grid.y, grid.z}}, {"block", {block.x, block.y, block.z}}};
        profiles_.push_back(std::move(profile));
        return &profiles_.back();
    }

    // Throws BadInput if there is none.
    [[nodiscard]] std::vector<Profile> all() const {
        check_launched(file_, kernel_, names_);
        return profiles_;
    }

private:
    std::string kernel_, file_;
    std::set<std::string> names_, seen_;
    std::vector<Profile> profiles_;
};

}  // namespace

std::vector<Profile> profiles_of(const std::vector<trace::Launch>& launches, const std::string& kernel, const std::string& file) {
    Columns columns(kernel, file);
    for (const trace::Launch& launch : launches) {
        Profile* const profile = columns.add(launch.kernel, launch.grid, launch.block);
        if (profile == nullptr) continue;
        profile->launch = launch;
        profile->is_counted = true;
        profile->figures = figures_of(launch);
        profile->throughput = throughput({0, bytes_asked_for(launch)}, profile->figures["time"], {}, false);
    }
    return columns.all();
}

std::vector<Profile> profiles_of(const std::vector<HardwareLaunch>& launches, const std::string& kernel, const std::string& file) {
    Columns columns(kernel, file);
    for (const HardwareLaunch& launch : launches) {
        Profile* const profile = columns.add(launch.kernel, size_of(launch.grid), size_of(launch.block));
        if (profile == nullptr) continue;
        profile->is_counted = true;
        profile->figures = figures_of_hardware(launch.metrics);
    }
    return columns.all();
}

namespace {

ProgramOptions program_of(const ProfileOptions& options) {
    ProgramOptions program;
    program.file = options.subject;
    static_cast<ProgramWords&>(program) = options;
    return program;
}

// With the emulator's counters.
std::vector<Profile> emulated(const Project& project, const ProfileOptions& options) {
    ProgramOptions program = program_of(options);
    program.device = options.device;
    const OwnFile launches(project.build, "profile_launches");
    program.json = launches.path().string();
    program.emulator = options.emulator;
    program.emulator.counts_by_line = options.shows_source;
    const int status = run_program(project, program);
    if (status != 0)
        throw BadInput(fmt::format("{} ended with status {}: there is nothing to profile; ./lab run {} tells more", options.subject, status,
                                   options.subject));
    return profiles_of(read_report(program.json).launches, options.kernel, options.subject);
}

// With the GPU's own counters.
std::vector<Profile> counted(const Project& project, const ProfileOptions& options) {
    if (options.shows_source) throw BadInput("--source of a program needs the emulator: ./lab --backend emulator profile FILE.cu --source");
    check_ncu("The emulator counts without it: ./lab --backend emulator profile FILE.cu");
    const ProgramOptions program = program_of(options);
    check_program_file(program.file);
    std::vector<std::string> words{compile_program(project, program).string()};
    words.insert(words.end(), program.arguments.begin(), program.arguments.end());
    return profiles_of(count_launches(project, words), options.kernel, options.subject);
}

}  // namespace

Profiles profile_program(const Project& project, const ProfileOptions& options) {
    if (!options.compare.empty() || !options.size.empty() || !options.block.empty() || options.is_solution) {
        throw BadInput("--compare, --size, --block and --solution are for a lab's kernels; a program sets its own sizes");
    }
    const bool on_gpu = project.backend == "gpu";
    Profiles profiles;
    profiles.device = study_device(project, options.device);
    profiles.all = on_gpu ? counted(project, options) : emulated(project, options);
    if (profiles.all.size() > max_columns) {
        profiles.notes.push_back(
            fmt::format("{} more launches differ in kernel or shape; name a kernel to see its own", profiles.all.size() - max_columns));
        profiles.all.resize(max_columns);
    }
    profiles.notes.emplace_back(on_gpu
                                    ? "all counted and timed by ncu; launches of the same shape are shown once"
                                    : "bandwidth: bytes that threads asked for, over the time; launches of the same shape are shown once");
    return profiles;
}

}  // namespace lab::tools
