#include "common/tools/studies/line_fit.h"

#include <cmath>

namespace lab::tools {

AlphaBeta fit(const std::vector<Transfer>& transfers) {
    // Minimises the sum of ((a + b n - t) / t)^2 over a and b: two linear equations, with weights 1 / t^2.
    double w = 0, wn = 0, wnn = 0, wt = 0, wnt = 0;
    for (const auto& [n, t] : transfers) {
        const double weight = 1 / (t * t);
        w += weight;
        wn += weight * n;
        wnn += weight * n * n;
        wt += weight * t;
        wnt += weight * n * t;
    }
    const double determinant = w * wnn - wn * wn;
    const double a = (wt * wnn - wnt * wn) / determinant;  // ms
    const double b = (w * wnt - wn * wt) / determinant;    // ms a byte
    double squares = 0;
    for (const auto& [n, t] : transfers) squares += std::pow((a + b * n - t) / t, 2);
    return {a * 1e3, 1e-6 / b, a / b, std::sqrt(squares / static_cast<double>(transfers.size()))};
}

}  // namespace lab::tools
