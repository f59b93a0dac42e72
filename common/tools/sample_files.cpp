#include "common/tools/sample_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/tools/errors.h"
#include "common/tools/near_names.h"
#include "common/tools/safe_files.h"
#include "common/tools/sample.h"

namespace lab::tools {
namespace fs = std::filesystem;

Sample sample_in(const Project& project, const fs::path& file) {
    const std::string name = file.stem();
    for (const Lab& lab : labs_in(project.root / "solutions")) {
        if (name.rfind(lab.name() + "_", 0) == 0) return {name, file, project.root / "solutions" / lab.folder / lab.file, lab.number};
    }
    throw BadInput(fmt::format("{}: has to be named after a lab that has a solution, like LAB_no_barriers.diff", file.string()));
}

std::vector<Sample> all_samples(const Project& project) {
    std::vector<Sample> samples;
    for (const char* folder : {"mutants", "accepted"}) {
        std::error_code no_such_folder;
        for (const fs::directory_entry& entry : fs::directory_iterator(project.root / "tests" / folder, no_such_folder)) {
            if (entry.path().extension() == ".diff") samples.push_back(sample_in(project, entry.path()));
        }
    }
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
    return samples;
}

std::string expand(const Sample& sample) { return expand(read_whole(sample.solution), read_whole(sample.file), sample.file.filename()); }

int print_sample(const Project& project, const SampleOptions& options) {
    const std::vector<Sample> samples = all_samples(project);
    if (samples.empty()) throw BadInput(fmt::format("no samples under {}", (project.root / "tests").string()));
    for (const Sample& sample : samples) {
        if (options.name.empty()) fmt::print("{}  {}\n", sample.name, read_sample(read_whole(sample.file)).claim);
        if (sample.name != options.name) continue;
        fmt::print("{}", expand(sample));
        return 0;
    }
    if (options.name.empty()) return 0;
    std::vector<std::string> names;
    names.reserve(samples.size());
    for (const Sample& sample : samples) names.push_back(sample.name);
    throw BadInput(
        fmt::format("unknown sample '{}'; near it: {}; all: ./lab sample", options.name, fmt::join(nearest(names, options.name), ", ")));
}

}  // namespace lab::tools
