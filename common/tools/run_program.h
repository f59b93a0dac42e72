// `lab run`: compile any single-file CUDA program and run it in the emulator (or, with the gpu build, on the GPU).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/tools/compiler_options.h"
#include "common/tools/emulator_options.h"
#include "common/tools/process.h"
#include "common/tools/project.h"
#include "common/trace/launch.h"

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

// Report that a program under `lab run --json` left.
struct ProgramReport {
    std::vector<trace::Launch> launches;
    std::vector<Finding> findings;
};
// Empty if there is no such file: programs that are interrupted or crash leave none.
[[nodiscard]] ProgramReport read_report(const std::filesystem::path& file);

// "32x8" of 32 x 8 x 1, "4x4x4" of 4 x 4 x 4.
[[nodiscard]] std::string extents(const trace::Size& shape);

// Bytes of global memory that threads requested: a program's useful work is unknown.
[[nodiscard]] double bytes_asked_for(const trace::Launch& launch);

// Throws BadInput if `file` launched no such kernel; `names`: the plain names of all that it launched. Without `kernel`, any will do.
void check_launched(const std::string& file, const std::string& kernel, const std::set<std::string>& names);

}  // namespace lab::tools
