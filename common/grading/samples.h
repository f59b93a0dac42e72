// Samples of a matrix product's elements, and the sums that explain them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "common/grading/evidence.h"
#include "common/grading/index_guess.h"
#include "common/grading/reference.h"

namespace lab::grading {

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

// The sum of the products at these indices; none if an index leads out of its matrix.
[[nodiscard]] std::optional<double> sum_at(const Factors& factors, const Sample& one, const Index& left, const Index& right);

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

}  // namespace lab::grading
