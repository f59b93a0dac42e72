// Weight of the agreement between the values that a mistake predicts and those that an output holds.
#pragma once

#include <cstddef>
#include <vector>

namespace lab::grading {

// A wrong element: the value that the mistake predicts, and the one that the output holds. They agree within the slack.
struct Agreement {
    double predicted = 0, got = 0;
};

// Whether these elements prove the mistake, the last of `candidates` that were tried: by chance, hardly any candidate would have agreed.
// Equal predictions count once. An output that is 0 wherever it is wrong proves none: where no sum was stored, 0 is what is left.
// `range`: of the output's right values.
[[nodiscard]] bool prove(const std::vector<Agreement>& elements, double slack, double range, std::size_t candidates);

// Difference between the largest and the smallest value.
[[nodiscard]] double range_of(const std::vector<double>& values);

}  // namespace lab::grading
