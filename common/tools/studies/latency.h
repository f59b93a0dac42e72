// `lab latency`: latency in cycles of a dependent fused multiply-add, and the number of warps or independent chains that hide it. Measured
// on a GPU only: the emulator has no cycles.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct LatencyOptions : StudyFiles {
    std::int64_t repeats = 20;
};

// Returns 0, or 130 when interrupted, with the results so far shown. Throws BadInput.
[[nodiscard]] int latency(const Project& project, const LatencyOptions& options);

// One block of `warps` warps on one SM, each thread with `chains` chains of `steps` dependent fused multiply-adds.
struct LatencyCell {
    int chains = 0, warps = 0, steps = 0;
    double cycles = 0;  // from the first warp's start to the last one's end
    [[nodiscard]] double cycles_a_step() const { return cycles / steps; }
    [[nodiscard]] double fma_per_clock() const { return 32.0 * warps * chains * steps / cycles; }
};

struct LatencyFigures {
    std::string device;  // "NVIDIA H100 80GB HBM3"
    double peak = 0;     // fma per clock of an SM, by its compute capability; 0: unknown
    bool is_interrupted = false;
    std::vector<LatencyCell> cells;

    // Cycles per step of a single chain in a single warp; nothing if that wasn't measured.
    [[nodiscard]] std::optional<double> latency() const;
    // Share of the peak; if that is unknown, of the best measured rate.
    [[nodiscard]] double share(const LatencyCell& cell) const;
    // The fewest warps that reach 90 % with this many chains, as measured; nothing if none does.
    [[nodiscard]] std::optional<int> warps_needed(int chains) const;
};

[[nodiscard]] std::string to_text(const LatencyFigures& figures);
[[nodiscard]] nlohmann::ordered_json to_json(const LatencyFigures& figures);

}  // namespace lab::tools
