// Profiles of the launches of any CUDA program in one file, by way of `lab run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/run_program.h"
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

// What threads asked for: a program doesn't say what its work is.
double bytes_asked_for(const Json& launch) {
    return launch.at("global_load").at("bytes").get<double>() + launch.at("global_store").at("bytes").get<double>();
}

}  // namespace

std::vector<Profile> profiles_of(const Json& launches, const std::string& kernel, const std::string& file) {
    std::vector<Profile> profiles;
    std::set<std::string> names;
    std::set<std::string> seen;
    for (const Json& launch : launches) {
        const std::string full = launch.at("kernel");
        const std::string name = plain_name(full);
        names.insert(name);
        if (!kernel.empty() && name != kernel) continue;
        const std::string grid = shape(launch.at("grid"));
        const std::string block = shape(launch.at("block"));
        if (!seen.insert(full + " " + grid + " " + block).second) continue;
        Profile profile;
        profile.title = name_of(full);
        profile.subject = fmt::format("{}: {}, grid {}, blocks {}", file, profile.title, grid, block);
        profile.launch = launch;
        profile.is_counted = true;
        profile.figures = figures_of(launch);
        profile.throughput = throughput({0, bytes_asked_for(launch)}, profile.figures["time"], {}, false);
        profile.described = {{"file", file}, {"kernel", full}, {"grid", launch.at("grid")}, {"block", launch.at("block")}};
        profiles.push_back(std::move(profile));
    }
    if (names.empty()) throw BadInput(fmt::format("{}: it launched no kernel", file));
    if (profiles.empty())
        throw BadInput(fmt::format("{}: it launched no kernel '{}'; it launched: {}", file, kernel, fmt::join(names, ", ")));
    return profiles;
}

Profiles profile_program(const Project& project, const ProfileOptions& options) {
    if (project.backend == "gpu")
        throw BadInput("a program's launches are counted in the emulator: ./lab --backend emulator profile FILE.cu");
    if (!options.compare.empty() || !options.size.empty() || !options.block.empty() || options.is_solution) {
        throw BadInput("--compare, --size, --block and --solution are for a lab's kernels; a program sets its own sizes");
    }
    Profiles profiles;
    profiles.device = study_device(project, options.device);
    ProgramOptions program;
    program.file = options.subject;
    program.device = options.device;
    program.arguments = options.arguments;
    program.include_folders = options.include_folders;
    program.defines = options.defines;
    program.json = (project.build / "profile_launches.json").string();
    program.counts_by_line = options.shows_source;
    const int status = run_program(project, program);
    if (status != 0)
        throw BadInput(fmt::format("{} ended with status {}: there is nothing to profile; ./lab run {} tells more", options.subject, status,
                                   options.subject));
    std::ifstream stream(program.json);
    profiles.all = profiles_of(Json::parse(stream), options.kernel, options.subject);
    if (profiles.all.size() > most_columns) {
        profiles.notes.push_back(
            fmt::format("{} more launches differ in kernel or shape; name a kernel to see its own", profiles.all.size() - most_columns));
        profiles.all.resize(most_columns);
    }
    profiles.notes.emplace_back("bandwidth: bytes that threads asked for, over the time; launches of the same shape are shown once");
    return profiles;
}

}  // namespace lab::tools
