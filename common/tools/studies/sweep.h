// `lab sweep`: one kernel with every possible block shape, fastest first.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/figures.h"
#include "common/tools/studies/study_ask.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct SweepOptions : KernelOptions, StudyFiles {
    std::string blocks;  // "32x32,16x16"; "": all legal ones
};

struct SweepRow {
    BlockShape block;
    std::vector<double> times_ms;
    std::string trouble;  // reason why there are no times: too many registers, for example
    [[nodiscard]] double median_ms() const { return median(times_ms); }
};

struct Sweep {
    std::string subject;  // "lab<n>/matmul_global, your file, size 512 of float"
    UsefulWork work;
    StudyDevice device;
    bool is_double = false;
    std::vector<SweepRow> rows;  // in the order of the shapes
    std::size_t shapes = 0;      // planned number
    std::vector<std::string> notes;
    nlohmann::json described = nlohmann::json::object();  // identification for JSON
};

// Returns 0, or 130 when interrupted: the results so far are shown and in the JSON. Throws BadInput.
[[nodiscard]] int sweep(const Project& project, const SweepOptions& options);

// Sweeps a program's kernel; false when interrupted. Throws BadInput.
[[nodiscard]] bool sweep_program(const Project& project, const SweepOptions& options, Sweep* sweep);
// A row of the table without comparisons: "    16x16      256     0.0123 ms      812.3".
[[nodiscard]] std::string line_of(const Sweep& sweep, const SweepRow& row);

// Writes the results so far to the file of --json, atomically: a sweep may be ended any time.
void keep_so_far(const Sweep& sweep, const std::string& json);

// The rows with times by their medians, shortest first; then those without.
[[nodiscard]] std::vector<SweepRow> sorted(std::vector<SweepRow> rows);
[[nodiscard]] std::string table(const Sweep& sweep);
[[nodiscard]] nlohmann::ordered_json to_json(const Sweep& sweep);

}  // namespace lab::tools
