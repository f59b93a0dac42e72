// Published times and rates of kernels on GPUs, with their sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab::tools {

struct FidelityRow {
    std::string kernel;
    double published = 0;            // as FidelityTable::unit says
    bool is_fitted = false;          // a figure of the device's file was fitted on this row
    std::optional<double> modelled;  // nothing: interrupted before it
    [[nodiscard]] double error() const { return *modelled / published - 1; }
};

struct FidelityTable {
    std::string device;      // "m2090"
    std::string program;     // argument of tests/model/fidelity.cu
    std::string what;        // "transposes of 2048 x 2048 floats"
    std::string source;      // "Ruetsch and Micikevicius, ..."
    double moved_bytes = 0;  // by each kernel: rows are GB/s; 0: rows are ms
    std::vector<FidelityRow> rows;
    [[nodiscard]] const char* unit() const { return moved_bytes == 0 ? "ms" : "GB/s"; }
    // In the unit of the rows.
    [[nodiscard]] double figure(double ms) const { return moved_bytes == 0 ? ms : moved_bytes * 1e-6 / ms; }
};

[[nodiscard]] std::vector<FidelityTable> published_tables();

}  // namespace lab::tools
