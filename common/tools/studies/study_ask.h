// One call of a kernel as a study's command line asks for it, checked before anything is built.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "common/tools/modelling.h"
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
    bool counts_by_line = false;
    bool records_accesses = false;  // and whatever is wrong with the call is a warning
    Modelling modelling;

    [[nodiscard]] double element_bytes() const { return is_double ? 8 : 4; }
    [[nodiscard]] UsefulWork work() const { return kernel->work(size, element_bytes()); }
};

// What --size, --type and --solution say.
struct AskWords {
    std::string size;
    std::string type = "float";
    bool is_solution = false;
    Modelling modelling = {};
};

// With no block yet. Throws BadInput for what the kernel can't have, or memory can't hold.
[[nodiscard]] StudyAsk ask_for(const StudyKernel& kernel, const AskWords& words, const StudyDevice& device);

// "lab<n>/matmul_tiled, your file, size 512 of float"
[[nodiscard]] std::string subject_of(const StudyAsk& ask, bool is_solution);
// The same for JSON: {"lab", "kernel", "solution", "size": [x, y], "type"}.
[[nodiscard]] nlohmann::json described(const StudyAsk& ask, bool is_solution);

}  // namespace lab::tools
