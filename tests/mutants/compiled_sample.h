// A sample as a program that its lab's suite can run.
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/project.h"
#include "common/tools/sample_files.h"

namespace lab::mutants {

enum class Passes : bool { needed, all };

struct CompiledSample {
    std::filesystem::path runner;
    std::filesystem::path kernels;  // PTX that the runner takes in place of its own; empty: it runs its own
};

// Compiles `text`, the sample as a whole file, below the build folder as the build compiles a student's file, unless that was done
// before with the same text, commands, headers and libraries. Where it differs from the solution in kernels only, the device pass
// will do: the runner is the reference's. The build must hold what `labN_runner` is linked with, and labN_reference.
// `Passes::all` compiles everything in any case. Throws BadInput with the compiler's text.
[[nodiscard]] CompiledSample compile(const tools::Project& project, const tools::Sample& sample, const std::string& text, Passes passes);

}  // namespace lab::mutants
