#include "common/grading/evidence.h"

#include <algorithm>

namespace lab::grading {

bool prove(const std::vector<Agreement>& elements, double slack, double range, std::size_t candidates) {
    // Outputs with one value everywhere are rare, except for 0. So one value may prove one of the first few candidates.
    constexpr double max_chance = 1e-3;
    if (std::all_of(elements.begin(), elements.end(), [](const Agreement& one) { return one.got == 0; })) {
        return false;
    }
    if (range <= 0) {
        return false;
    }
    std::vector<double> predicted;
    for (const Agreement& one : elements) {
        predicted.push_back(one.predicted);
    }
    std::sort(predicted.begin(), predicted.end());
    double chance = static_cast<double>(candidates);
    double last = 0;
    bool is_first = true;
    for (const double value : predicted) {
        if (is_first || value - last > 2 * slack) {
            chance *= std::min(1.0, 2 * slack / range);
            last = value;
            is_first = false;
        }
    }
    return chance <= max_chance;
}

double range_of(const std::vector<double>& values) {
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? 0 : *largest - *least;
}

}  // namespace lab::grading
