// `lab demo`: the labs' speed-ups, step by step, in one table: CPU, global memory, tiles; then the transposes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_kernel.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct DemoOptions : StudyFiles {
    std::string size;  // of the product; the transposes' matrices have twice the side
    std::string device;
    bool is_own = false;  // the student's files in place of the solutions
};

struct DemoRow {
    DemoStep step = DemoStep::cpu_product;
    std::string kernel;  // "lab<n>/matmul_tiled"
    std::vector<double> times_ms;
    bool is_modelled = false;
    UsefulWork work;
    [[nodiscard]] double mean_ms() const;
};

struct Demo {
    StudyDevice device;
    int side = 0;  // of the product's matrices
    std::vector<DemoRow> rows;
};

// Returns 0, or 130 when it was interrupted. Throws BadInput.
[[nodiscard]] int demo(const Project& project, const DemoOptions& options);

[[nodiscard]] std::string table(const Demo& demo);
[[nodiscard]] nlohmann::ordered_json to_json(const Demo& demo);

}  // namespace lab::tools
