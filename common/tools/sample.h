// Samples: programs that a suite has to reject (tests/mutants) or accept (tests/accepted), kept as their difference from the solution.
//
//     // rejected-by: Lab<n>.HasNoRaces · reason: race · at: all shapes
//     @@ matmul_tiled
//              N_tile[threadIdx.y][threadIdx.x] = N[(start + threadIdx.y) * W + col];
//     -        __syncthreads();
//     == expected message
//     race in shared memory ...
//
// The first line is the claim. Comments may follow. Then come hunks, each one of
//     @@ NAME            in the function or struct NAME of the solution
//     @@                 anywhere in the file
//     @@ replace NAME    all of the function or struct NAME, whatever it is
// and its lines as `diff -u` has them: ' ' stays, '-' goes, '+' comes. The lines that stay and go are code that follows one another in
// the solution, and that is there once. Comments, blank lines and whitespace count for nothing in that search, so editing a comment
// of a solution touches no sample. Every hunk refers to the solution as it is, not as the hunk before leaves it.
// The message of a mutant may follow at the end, with the name of its cause (tests/mutants/golden.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct SampleText {
    std::string claim;     // the first line
    std::string program;   // claim, comments and hunks: all that `expand` reads
    std::string expected;  // what stands below "== expected message"; "" if that is missing
};

// Splits the text of a sample file.
[[nodiscard]] SampleText read_sample(const std::string& text);

// The text of a sample file with another expected message.
[[nodiscard]] std::string with_expected(const std::string& text, const std::string& expected);

// The sample as a whole file; its first line is the claim. Throws BadInput, in one line that begins with `name` and the hunk's line.
[[nodiscard]] std::string expand(const std::string& solution, const std::string& sample, const std::string& name);

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
