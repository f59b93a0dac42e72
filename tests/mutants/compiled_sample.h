// A sample as a program that its lab's suite can run.
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/project.h"
#include "common/tools/sample.h"

namespace lab::mutants {

enum class Passes : bool { needed, all };

struct CompiledSample {
    std::filesystem::path runner;
    std::filesystem::path kernels;     // PTX that replaces the runner's own kernels; empty: none
    std::filesystem::path gpu_runner;  // the same for a GPU; empty: none
};

// Compiles `text`, the sample as a whole file, below the build folder with the build's commands for a student's file, unless a result for
// the same text, commands, headers and libraries exists. If it differs from the solution in kernels only, only the device pass runs; the
// runner is then the reference's. Where the build is for a GPU, it is compiled for that as well, with
// all passes. The build must hold the libraries of the lab's runners, and the references. `Passes::all` always compiles
// everything. Throws BadInput with the compiler's text.
[[nodiscard]] CompiledSample compile(const tools::Project& project, const tools::Sample& sample, const std::string& text, Passes passes);

}  // namespace lab::mutants
