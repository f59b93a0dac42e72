// `lab run`: compile any single-file CUDA program and run it in the emulator (or, with the gpu build, on the GPU).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/compiler_options.h"
#include "common/tools/emulator_options.h"
#include "common/tools/process.h"
#include "common/tools/project.h"

namespace lab::tools {

struct ProgramOptions : ProgramWords {
    std::string file;
    std::string standard;      // "c++17"
    std::string optimisation;  // "0" to "3"
    std::string json;          // where the launches go
    std::string device;
    std::string ptx;           // kernels from elsewhere: "nvcc", or a file of PTX made of the same source; "": clang's
    EmulatorOptions emulator;  // but its device
    bool report = false;
    bool verbose = false;
};

// Whether this names a program ("x.cu"), not a lab. Throws BadInput for a file that is neither.
[[nodiscard]] bool is_program(const std::string& subject);

// Throws BadInput if it can't be such a file.
void check_program_file(const std::string& file);

// Compiles options.file unless it is up to date; returns the program. Throws BadInput for compile errors.
[[nodiscard]] std::filesystem::path compile_program(const Project& project, const ProgramOptions& options);

// Command that starts the compiled program, with its arguments and the options for the runtime.
[[nodiscard]] Command command_of(const std::filesystem::path& program, const ProgramOptions& options);

// Returns the program's own exit status, 70 when the emulator found a fault, or 128 + n when signal n ended it.
// Throws BadInput, also for a file that does not compile.
[[nodiscard]] int run_program(const Project& project, const ProgramOptions& options);

}  // namespace lab::tools
