// Figures of a launch: the counters of nvprof and Nsight Compute, and figures derived from the time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_kernel.h"
#include "common/trace/launch.h"

namespace lab::tools {

enum class Unit { count, ratio, percent, ms };

// One line of the table. Those that are counters have their names from trace/counters.inc.
struct Metric {
    std::string nvprof;  // "gld_efficiency"; also the key in JSON
    std::string ncu;     // "n/a" where Nsight Compute has none
    Unit unit = Unit::count;
    std::function<std::optional<double>(const trace::Launch&)> value;
};

// Names: "Metric Comparison" in the nvprof transition guide of the Nsight Compute CLI's documentation. In the table's order.
[[nodiscard]] const std::vector<Metric>& metrics();

// Values by Metric::nvprof; undefined ones (the efficiency of no access) are missing. Percentages are 0 to 100.
using Figures = std::map<std::string, double>;

// Counters and the modelled time.
[[nodiscard]] Figures figures_of(const trace::Launch& launch);

// From a line of Nsight Compute's raw page, by its own names.
[[nodiscard]] Figures figures_of_hardware(const std::map<std::string, double>& ncu);

// Rates of useful work. Nothing if the useful work or the rates are unknown.
struct Throughput {
    std::optional<double> gflop_per_s;  // only if there are operations
    std::optional<double> gb_per_s;     // useful bytes per time: effective bandwidth
    std::optional<double> roofline;     // 0 to 1: share of the bound by peak bandwidth and peak arithmetic
    std::string side;                   // of the roofline that this work is on: "memory" or "arithmetic"; "" if not known
};
[[nodiscard]] Throughput throughput(const UsefulWork& work, double ms, const StudyDevice& device, bool is_double);

// The value in the middle, the larger of two; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

// "98.4 %", "2.50", "1048576", "0.0313 ms".
[[nodiscard]] std::string show(double value, Unit unit);

}  // namespace lab::tools
