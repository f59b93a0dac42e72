// The alpha-beta model of a transfer: t = alpha + n / beta.
#pragma once

#include <vector>

namespace lab::tools {

struct Transfer {
    double bytes = 0;
    double ms = 0;
};

struct AlphaBeta {
    double alpha_us = 0;    // time of an empty transfer
    double gb_per_s = 0;    // beta, 10^9 bytes a second
    double half_bytes = 0;  // alpha beta: a transfer of this many bytes reaches half of beta
    double error = 0;       // root of the mean square of the relative errors
};

// Least squares of the relative errors, so that a microsecond at small sizes counts as much as milliseconds at large ones. Needs at least
// two different sizes and times above 0.
[[nodiscard]] AlphaBeta fit(const std::vector<Transfer>& transfers);

}  // namespace lab::tools
