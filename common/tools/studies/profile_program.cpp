// Profiles of the launches of any CUDA program in one file: by way of `lab run`, or of ncu on a GPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/profile.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_columns = 6;

// "transpose<32>" of "void (anonymous namespace)::transpose<32>(float*, int)".
std::string name_of(std::string kernel) {
    const std::string unnamed = "(anonymous namespace)::";
    for (std::size_t at = kernel.find(unnamed); at != std::string::npos; at = kernel.find(unnamed)) kernel.erase(at, unnamed.size());
    const std::string name = kernel.substr(0, kernel.find('('));
    return name.rfind("void ", 0) == 0 ? name.substr(5) : name;
}

// "transpose" of that.
std::string plain_name(const std::string& kernel) {
    const std::string name = name_of(kernel);
    return name.substr(0, name.find('<'));
}

std::string shape(const Json& extents) {
    std::string text = fmt::format("{}x{}", extents[0].get<int>(), extents[1].get<int>());
    if (extents[2].get<int>() != 1) text += fmt::format("x{}", extents[2].get<int>());
    return text;
}

// A column for the first launch of each kernel and shape, of one kernel or of all.
class Columns {
public:
    Columns(std::string kernel, std::string file) : kernel_(std::move(kernel)), file_(std::move(file)) {}

    // The new column, named and described; null where there is one already, or another kernel is asked for.
    Profile* add(const std::string& full, const Json& grid, const Json& block) {
        const std::string name = plain_name(full);
        names_.insert(name);
        if (!kernel_.empty() && name != kernel_) return nullptr;
        if (!seen_.insert(full + " " + shape(grid) + " " + shape(block)).second) return nullptr;
        Profile profile;
        profile.title = name_of(full);
        profile.subject = fmt::format("{}: {}, grid {}, blocks {}", file_, profile.title, shape(grid), shape(block));
        profile.described = {{"file", file_}, {"kernel", full}, {"grid", grid}, {"block", block}};
        profiles_.push_back(std::move(profile));
        return &profiles_.back();
    }

    // Throws BadInput where there is none.
    [[nodiscard]] std::vector<Profile> all() const {
        if (names_.empty()) throw BadInput(fmt::format("{}: it launched no kernel", file_));
        if (profiles_.empty())
            throw BadInput(fmt::format("{}: it launched no kernel '{}'; it launched: {}", file_, kernel_, fmt::join(names_, ", ")));
        return profiles_;
    }

private:
    std::string kernel_, file_;
    std::set<std::string> names_, seen_;
    std::vector<Profile> profiles_;
};

// What threads asked for: a program doesn't say what its work is.
double bytes_asked_for(const Json& launch) {
    return launch.at("global_load").at("bytes").get<double>() + launch.at("global_store").at("bytes").get<double>();
}

}  // namespace

std::vector<Profile> profiles_of(const Json& launches, const std::string& kernel, const std::string& file) {
    Columns columns(kernel, file);
    for (const Json& launch : launches) {
        Profile* const profile = columns.add(launch.at("kernel"), launch.at("grid"), launch.at("block"));
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
        Profile* const profile = columns.add(launch.kernel, launch.grid, launch.block);
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
    program.arguments = options.arguments;
    program.include_folders = options.include_folders;
    program.defines = options.defines;
    return program;
}

// By the emulator's counters.
std::vector<Profile> emulated(const Project& project, const ProfileOptions& options) {
    ProgramOptions program = program_of(options);
    program.device = options.device;
    program.json = (project.build / "profile_launches.json").string();
    program.counts_by_line = options.shows_source;
    const int status = run_program(project, program);
    if (status != 0)
        throw BadInput(fmt::format("{} ended with status {}: there is nothing to profile; ./lab run {} tells more", options.subject, status,
                                   options.subject));
    std::ifstream stream(program.json);
    return profiles_of(Json::parse(stream), options.kernel, options.subject);
}

// By the GPU's own; nobody else counts there.
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
    if (profiles.all.size() > most_columns) {
        profiles.notes.push_back(
            fmt::format("{} more launches differ in kernel or shape; name a kernel to see its own", profiles.all.size() - most_columns));
        profiles.all.resize(most_columns);
    }
    profiles.notes.emplace_back(on_gpu
                                    ? "all counted and timed by ncu; launches of the same shape are shown once"
                                    : "bandwidth: bytes that threads asked for, over the time; launches of the same shape are shown once");
    return profiles;
}

}  // namespace lab::tools
