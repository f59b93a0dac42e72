// Times of the labs' kernels in many sizes and block shapes, a row each: measured on a GPU and stored in a file, or modelled in the
// emulator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/study_kernel.h"

namespace lab::tools {

// Requests and sectors of global memory over all launches of a row, as defined by Nsight Compute.
struct RowCounts {
    std::uint64_t load_requests = 0, load_sectors = 0, store_requests = 0, store_sectors = 0;
    friend bool operator==(const RowCounts&, const RowCounts&) = default;
};

struct KernelRow {
    std::string lab, kernel;
    Size size;                    // in the kernel's own terms; of a product, its side twice
    BlockShape block;             // 0 x 0: the kernel's own choice
    double ms = 0;                // the median of repeated measurements
    std::vector<double> each_ms;  // the repeated measurements
    std::optional<RowCounts> counts;
    [[nodiscard]] std::string name() const { return lab + "/" + kernel; }
    [[nodiscard]] std::string at() const;  // "1024x515, 32x8"
};

// Adds the times of rows that were measured again.
void add_times(const std::vector<KernelRow>& again, std::vector<KernelRow>* rows);

// {"device": name, "kernels": "labs" (default) or "others", "fitted_sizes": [sides of rows that a figure of the device's file was fitted
// on], ...}, then one line per row.
struct KernelRows {
    nlohmann::json about = nlohmann::json::object();
    std::vector<KernelRow> rows;
    [[nodiscard]] std::string kernels() const { return about.value("kernels", "labs"); }
    [[nodiscard]] bool is_fitted(const KernelRow& row) const;
};

[[nodiscard]] std::string to_line(const KernelRow& row);
[[nodiscard]] std::string to_lines(const KernelRows& rows);
// Throws BadInput that names file and line.
[[nodiscard]] KernelRows read_rows(const std::filesystem::path& file);
// Row of one parsed line. Throws nlohmann::json's errors.
[[nodiscard]] KernelRow row_of(const nlohmann::json& line);

// Measured rows beside modelled ones for the same kernel, size and block.
struct RowPair {
    const KernelRow* measured = nullptr;
    const KernelRow* modelled = nullptr;
    bool is_fitted = false;
    [[nodiscard]] double error() const { return modelled->ms / measured->ms - 1; }
};
// In the order of the measured ones; rows without a modelled one are omitted.
[[nodiscard]] std::vector<RowPair> paired(const KernelRows& measured, const std::vector<KernelRow>& modelled);

struct RowErrors {
    std::size_t rows = 0;
    double sum = 0;  // of absolute errors
    const RowPair* worst = nullptr;
    void add(const RowPair& pair);
    [[nodiscard]] double mean() const { return rows == 0 ? 0 : sum / static_cast<double>(rows); }
};

// Accuracy of the model.
struct RowFidelity {
    std::map<std::string, RowErrors> of_kernel;  // by KernelRow::name
    RowErrors all, fitted, predicted;
    std::size_t beyond_half = 0;  // rows that are off by more than 50 %
    // Pairs of rows of one size, of any kernels and blocks, whose measured times differ by more than 15 % in each measurement; and those in
    // the opposite order in the model.
    std::size_t pairs = 0, exchanged = 0;
    std::size_t times_over = 1;
    // Pairs that differ that much in the first measurement; and those in the opposite order in another one.
    std::size_t pairs_at_first = 0, exchanged_by_another = 0;
    std::size_t counted = 0;                   // rows with counts on both sides
    std::vector<const RowPair*> other_counts;  // those with unequal counts
};
[[nodiscard]] RowFidelity fidelity_of(const std::vector<RowPair>& pairs);

// A run of rows: kernels_of_labs.cu or other_kernels.cu, modelled in the emulator, or timed and counted on a GPU.
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
