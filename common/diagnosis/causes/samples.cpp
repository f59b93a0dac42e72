#include "common/diagnosis/causes/samples.h"

#include <algorithm>
#include <cmath>

namespace lab::diagnosis {
bool prove(const std::vector<Agreement>& elements, double slack, double range, std::size_t candidates) {
    // Outputs with one value everywhere are rare, except for 0. So one value may prove one of the first few candidates.
    constexpr double max_chance = 1e-3;
    const bool is_zero = std::all_of(elements.begin(), elements.end(), [](const Agreement& one) { return one.got == 0; });
    if (is_zero || range <= 0) {
        return false;
    }
    std::vector<double> predicted;
    for (const Agreement& one : elements) {
        predicted.push_back(one.predicted);
    }
    std::sort(predicted.begin(), predicted.end());
    const auto are_equal = [&](double less, double more) { return more - less <= 2 * slack; };
    const auto different = std::unique(predicted.begin(), predicted.end(), are_equal) - predicted.begin();
    const double chance_of_one = std::min(1.0, 2 * slack / range);
    return static_cast<double>(candidates) * std::pow(chance_of_one, different) <= max_chance;
}

double range_of(const std::vector<double>& values) {
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? 0 : *largest - *least;
}

}  // namespace lab::diagnosis
