// The alpha-beta model of a transfer: t = alpha + n / beta.
#pragma once

#include <vector>

namespace lab::tools {

struct Transfer {
    double bytes = 0;
    double ms = 0;
};

struct AlphaBeta {
    double alpha_us = 0;    // what a transfer of nothing would take
    double gb_per_s = 0;    // beta, 10^9 bytes a second
    double half_bytes = 0;  // alpha beta: a transfer of so many bytes gets half of beta
    double error = 0;       // root of the mean square of the relative errors
};

// Least squares of the relative errors, so that a microsecond counts at small sizes as much as milliseconds do at large ones. Needs two
// different sizes at least and times above 0.
[[nodiscard]] AlphaBeta fit(const std::vector<Transfer>& transfers);

}  // namespace lab::tools
