// Plots of what the studies measured or modelled: each from the JSON that its subcommand writes, so that picture and figures are the same.
#pragma once

#include <nlohmann/json.hpp>

#include "common/report/svg.h"

namespace lab::report {

using Figures = nlohmann::ordered_json;

// Occupancy over threads, registers and shared memory of one case; of several, kernels by block size.
[[nodiscard]] Drawing plot_occupancy(const Figures& figures);
// Rates of copies over their size, both logarithmic, with the fitted curve and the half-power point of each.
[[nodiscard]] Drawing plot_bandwidth(const Figures& figures);
// Times by block shape: x to the right, y downwards.
[[nodiscard]] Drawing plot_sweep(const Figures& figures);
// Roofline with a point a kernel; bars of effective bandwidth where no kernel calculates.
[[nodiscard]] Drawing plot_profile(const Figures& figures);
// Share of the peak over warps, a curve for each number of chains.
[[nodiscard]] Drawing plot_latency(const Figures& figures);
// Modelled over measured or published: fitted rows to the left, predicted ones to the right.
[[nodiscard]] Drawing plot_fidelity(const Figures& figures);
// Gain of each step over the CPU.
[[nodiscard]] Drawing plot_demo(const Figures& figures);

}  // namespace lab::report
