// The sample files of a project, and `lab sample`, which prints one as a whole program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct Sample {
    std::string name;            // "lab<n>_no_barriers"
    std::filesystem::path file;  // "tests/mutants/lab<n>_no_barriers.diff"
    std::filesystem::path solution;
    int lab = 0;
    [[nodiscard]] std::string source_name() const { return name + solution.extension().string(); }  // "lab<n>_no_barriers.cu"
};

// Identifies the sample's solution. Throws BadInput if the name is not a lab's.
[[nodiscard]] Sample sample_in(const Project& project, const std::filesystem::path& file);

// All samples, by name.
[[nodiscard]] std::vector<Sample> all_samples(const Project& project);

// The sample as a whole file.
[[nodiscard]] std::string expand(const Sample& sample);

struct SampleOptions {
    std::string name;  // "" lists all
};

// `lab sample`: prints a sample as a whole file. Returns the exit status.
int print_sample(const Project& project, const SampleOptions& options);

}  // namespace lab::tools
