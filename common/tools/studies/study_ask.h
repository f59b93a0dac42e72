// One call of a kernel from a study's command line, validated before anything is built.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

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

// Values of --size, --type and --solution.
struct AskWords {
    std::string size;
    std::string type = "float";
    bool is_solution = false;
    EmulatorOptions emulator = {};
};

// The call, without a block. Throws BadInput if the kernel can't have it, or memory can't hold it.
[[nodiscard]] StudyAsk ask_for(const StudyKernel& kernel, const AskWords& words, const StudyDevice& device);

// "lab<n>/matmul_tiled, your file, size 512 of float"
[[nodiscard]] std::string subject_of(const StudyAsk& ask, bool is_solution);
// The same for JSON: {"lab", "kernel", "solution", "size": [x, y], "type"}.
[[nodiscard]] nlohmann::json described(const StudyAsk& ask, bool is_solution);

}  // namespace lab::tools
