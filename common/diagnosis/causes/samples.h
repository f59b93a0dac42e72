// Samples of a matrix product's elements, and the sums that explain them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace lab::diagnosis {

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

// An output's element and the value that the student's code stored.
struct Sample {
    std::size_t row, col;
    double got;
};

// Elements that a mistake has to explain: all, though only the wrong ones prove it.
struct Explained {
    std::vector<Sample> wrong, right;
    double slack, range;
};

// Whether `predict` gives the values of all samples, and proves it. `candidates`: tried so far, this one included. `predict` takes a
// Sample and returns nothing if an index leads out of its matrix.
template <typename Predict>
[[nodiscard]] bool explains(const Explained& samples, std::size_t candidates, const Predict& predict) {
    std::vector<Agreement> elements;
    const auto holds = [&](const Sample& one) {
        const std::optional<double> sum = predict(one);
        elements.push_back({sum.value_or(0), one.got});
        return sum && std::abs(*sum - one.got) <= samples.slack;
    };
    if (!std::all_of(samples.wrong.begin(), samples.wrong.end(), holds)) {
        return false;
    }
    const std::vector<Agreement> proofs = elements;
    return std::all_of(samples.right.begin(), samples.right.end(), holds) && prove(proofs, samples.slack, samples.range, candidates);
}

}  // namespace lab::diagnosis
