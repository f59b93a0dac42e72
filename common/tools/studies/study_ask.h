// One call of a kernel from a study's command line, with its block shape, validated before anything is built.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/compiler_options.h"
#include "common/tools/emulator_options.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_kernel.h"

namespace lab::tools {

struct StudyAsk {
    const StudyKernel* kernel = nullptr;
    Size size;
    BlockShape block;
    bool is_double = false;
    int warm_up = 0;
    int repeats = 1;
    EmulatorOptions emulator;

    [[nodiscard]] double element_bytes() const { return is_double ? 8 : 4; }
    [[nodiscard]] UsefulWork work() const { return kernel->work(size, element_bytes()); }
};

// Values of --size, --type and --solution, and the emulator's options.
struct AskWords {
    std::string size;
    std::string type = "float";
    bool is_solution = false;
    EmulatorOptions emulator = {};
};

// Options of the studies of a lab's kernels, or of a program.
struct KernelOptions : ProgramWords, AskWords {
    std::string subject;  // "lab<n>", or a .cu program
    std::string kernel;   // one of the lab's, or of the program's; "": all
    std::string device;
};

// The call, without a block. Throws BadInput if the kernel can't have it, or memory can't hold it.
[[nodiscard]] StudyAsk ask_for(const StudyKernel& kernel, const AskWords& words, const StudyDevice& device);

// "lab<n>/matmul_tiled, your file, size 512 of float"
[[nodiscard]] std::string subject_of(const StudyAsk& ask, bool is_solution);
// The same for JSON: {"lab", "kernel", "solution", "size": [x, y], "type"}.
[[nodiscard]] nlohmann::json described(const StudyAsk& ask, bool is_solution);

// All shapes that a sweep tries. For a kernel that takes any shape: powers of two in both directions, from one warp to the maximum of
// threads per block, like the source texts' studies of thread geometry. May be empty.
[[nodiscard]] std::vector<BlockShape> legal_blocks(const StudyKernel& kernel, Size size, const StudyDevice& device);

// Throws BadInput, naming the legal ones, if the kernel can't have this shape. `option`: the option that gave it.
void check_block(const StudyKernel& kernel, BlockShape block, Size size, const StudyDevice& device, const std::string& option);

// The block of --block; for "" the usual one, or the first legal one.
[[nodiscard]] BlockShape block_for(const StudyKernel& kernel, const std::string& text, Size size, const StudyDevice& device);

}  // namespace lab::tools
