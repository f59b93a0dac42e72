// Runs of rows: kernels_of_labs.cu or other_kernels.cu, modelled in the emulator, or timed and counted on a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/tools/hardware_counters.h"
#include "common/tools/project.h"
#include "common/tools/studies/kernel_rows.h"

namespace lab::tools {

struct RowsRun {
    KernelRows rows;
    bool is_interrupted = false;
};

struct RowsAsk {
    std::string kernels;       // KernelRows::kernels
    int size = 8192;           // sides up to this, of the labs' kernels
    std::string device;        // to model
    std::uint64_t blocks = 0;  // sample size for larger launches; 0: all blocks run
};

// Models rows, with counts. Throws BadInput.
[[nodiscard]] RowsRun model_rows(const Project& project, const RowsAsk& ask);

// Times rows on the GPU, without counts. `about`: known properties of it, and the choice of kernels. `see` gets the rows so far with each
// new one. Throws BadInput.
[[nodiscard]] RowsRun time_rows(const Project& project, int size, const nlohmann::json& about,
                                const std::function<void(const KernelRows&)>& see);

// Adds ncu's counts for the same kernels. Throws BadInput.
void count_rows(const Project& project, int size, KernelRows* rows);

// Gives each row, in order, the sum of its launches: those before the next one of row_ends. Rows without launches get nothing.
void share_out(const std::vector<HardwareLaunch>& launches, std::vector<KernelRow>* rows);

}  // namespace lab::tools
