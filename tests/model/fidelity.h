// `lab fidelity`: times of real GPUs beside modelled ones for the same kernels. The times are published, or measured as rows on any GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/published_times.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct FidelityOptions : StudyFiles {
    std::string device;         // only published tables about this one; of rows, the device to model
    std::string rows;           // a file of measured rows (kernel_rows.h)
    bool measures = false;      // on the present GPU, into `rows`
    std::string kernels;        // to measure: labs or others; files of rows have it themselves
    int size = 8192;            // rows up to this side
    std::uint64_t blocks = 64;  // of a larger launch only about so many run in the emulator; 0: all
};

// Returns 0, or 130 when interrupted, with the results so far shown. Throws BadInput.
[[nodiscard]] int fidelity(const Project& project, const FidelityOptions& options);

// An error as a share, "+3.1 %".
[[nodiscard]] std::string percent_off(double share);

// Compares modelled with measured rows.
[[nodiscard]] int fidelity_of_rows(const Project& project, const FidelityOptions& options);
// Measures rows first.
[[nodiscard]] int measure_rows(const Project& project, const FidelityOptions& options);

// Accuracy of a table's modelled rows.
struct Fidelity {
    // Mean absolute error of the fitted rows, of the others, of all; nothing without such rows.
    std::optional<double> fitted, predicted, all;
    const FidelityRow* worst = nullptr;
    std::size_t pairs = 0;                                       // of rows whose published figures differ by more than 10 %
    std::vector<std::pair<std::string, std::string>> exchanged;  // those modelled in the other order, or as equal; larger one first
};
[[nodiscard]] Fidelity fidelity_of(const FidelityTable& table);

}  // namespace lab::tools
