// Terms of a wrong sum, and their multiplicity.
#include "common/grading/term_weights.h"

#include <gtest/gtest.h>

#include <random>

namespace lab::grading {
namespace {

// `count` sums of random terms, each term k held `weights[k]` times.
std::vector<WeightedSum> sums_of(const std::vector<double>& weights, std::size_t count) {
    std::mt19937 random(7);  // any seed will do: the weights are exact
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<WeightedSum> sums(count);
    for (WeightedSum& sum : sums) {
        for (const double weight : weights) {
            sum.terms.push_back(value(random));
            sum.value += weight * sum.terms.back();
        }
    }
    return sums;
}

TEST(TermWeights, AreFoundFromTheSums) { EXPECT_EQ(term_weights(sums_of({1, 2, 0, 1, 3}, 40), 1e-9), (std::vector<int>{1, 2, 0, 1, 3})); }

TEST(TermWeights, AreNotGuessedFromTooFewSums) { EXPECT_EQ(term_weights(sums_of({1, 2, 0, 1, 3}, 12), 1e-9), std::nullopt); }

TEST(TermWeights, AreWholeNumbers) {
    EXPECT_EQ(term_weights(sums_of({1, 0.4, 1}, 40), 1e-9), std::nullopt);
    EXPECT_EQ(term_weights(sums_of({1, -1, 1}, 40), 1e-9), std::nullopt);
}

TEST(TermWeights, HaveToExplainEverySum) {
    std::vector<WeightedSum> sums = sums_of({1, 2, 0}, 40);
    sums[20].value += 1;
    EXPECT_EQ(term_weights(sums, 1e-3), std::nullopt);
}

TEST(TermWeights, AreSaidInRanges) {
    EXPECT_EQ(weights_in_words({2, 2, 1, 0, 0, 0}), "the terms k = 0 to 1 twice and k = 3 to 5 never");
    EXPECT_EQ(weights_in_words({1, 3, 1, 1}), "the terms k = 1 held 3 times");
    EXPECT_EQ(weights_in_words({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}), "the terms k = 0, 2, 4, 6 and 2 more never");
    EXPECT_EQ(weights_in_words({1, 1}), "");
}

}  // namespace
}  // namespace lab::grading
