#include "common/tools/sample_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/sample.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Levenshtein distance.
std::size_t edit_distance(const std::string& one, const std::string& other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 1; i <= one.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (one[i - 1] == other[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

// The three names that are nearest to one that there isn't.
std::vector<std::string> nearest(const std::vector<Sample>& samples, const std::string& name) {
    std::vector<std::string> names;
    names.reserve(samples.size());
    for (const Sample& sample : samples) names.push_back(sample.name);
    std::stable_sort(names.begin(), names.end(),
                     [&](const std::string& a, const std::string& b) { return edit_distance(a, name) < edit_distance(b, name); });
    names.resize(std::min<std::size_t>(names.size(), 3));
    return names;
}

}  // namespace

Sample sample_in(const Project& project, const fs::path& file) {
    const std::string name = file.stem();
    for (const Lab& lab : labs_in(project.root / "solutions")) {
        if (name.rfind(lab.name() + "_", 0) == 0) return {name, file, project.root / "solutions" / lab.folder / lab.file, lab.number};
    }
    throw BadInput(fmt::format("{}: has to be named after a lab that has a solution, like lab3_no_barriers.diff", file.string()));
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
    throw BadInput(
        fmt::format("unknown sample '{}'; near it: {}; all: ./lab sample", options.name, fmt::join(nearest(samples, options.name), ", ")));
}

}  // namespace lab::tools
