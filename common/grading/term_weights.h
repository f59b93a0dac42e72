// Multiplicity of each term in a matrix product.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/grading/reference.h"
#include "common/grading/samples.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// One wrong sum: its terms, and the value that the student's code stored.
struct WeightedSum {
    std::vector<double> terms;
    double value = 0;
};

// Weights w_k with value = sum of w_k * terms[k] in every sum, if all w_k are integers from 0 to 9: the least-squares solution, rounded and
// checked within `slack`. None with fewer than 8 more sums than terms, or if no such weights exist.
[[nodiscard]] std::optional<std::vector<int>> term_weights(const std::vector<WeightedSum>& sums, double slack);

// "the terms k = 0 to 15 twice and k = 16 to 31 never"; "" if each term is held once.
[[nodiscard]] std::string weights_in_words(const std::vector<int>& weights);

// "each tile of 16 starts 1 after the one before: ...", if such tiles give these weights; else "".
[[nodiscard]] std::string steps_in_words(const std::vector<int>& weights);

// "y lacks the terms k % 24 = 2, 5, 8, 11 and 4 more: does a sum by halves drop some of 24 threads, ...": `threads` sum up the terms
// k % threads each, and the reduction adds the upper half to the lower one until one is left. "" if the values don't prove that.
[[nodiscard]] std::string dropped_by_halves(const Shape& shape, const Factors& factors, const Explained& samples, std::size_t threads);

}  // namespace lab::grading
