// Sums by halves of threads whose number is no power of two.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>

#include "common/diagnosis/causes/list.h"

namespace lab::diagnosis {
namespace {

constexpr std::size_t rows = 40, inner = 50;
const Shape shape{"y", 1, rows, true};

Factors factors() {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> value(-1, 1);
    Factors all{std::vector<double>(inner), std::vector<double>(inner * rows), inner, rows};
    for (double& one : all.M) one = value(engine);
    for (double& one : all.N) one = value(engine);
    return all;
}

// What is said of sums without the terms of these threads.
std::string said_of_sums(std::size_t threads, const std::set<std::size_t>& dropped) {
    const Factors of = factors();
    Expected expected{std::vector<double>(rows), std::vector<double>(rows, 1e-9), std::make_shared<const Factors>(of)};
    Symptoms seen{{.shape = shape,
                   .expected = expected,
                   .launched = {1, 1, 4, threads},
                   .tiles = {},
                   .wrong = std::vector<bool>(rows, true),
                   .is_unwritten = std::vector<bool>(rows),
                   .got = {},
                   .count = rows},
                  {},
                  {},
                  {}};
    for (std::size_t row = 0; row < rows; ++row) {
        expected.value[row] = static_cast<double>(row) * 10 / rows;  // none of the sums
        double sum = 0;
        for (std::size_t k = 0; k < inner; ++k) sum += dropped.count(k % threads) != 0 ? 0 : of.M[k] * of.N[k * rows + row];
        seen.got.push_back(sum);
    }
    return sum_by_halves(seen).text;
}

TEST(TreeReduction, NamesTheTermsThatHalvingDrops) {
    EXPECT_EQ(said_of_sums(24, {2, 5, 8, 11, 14, 17, 20, 23}),
              "y lacks the terms k % 24 = 2, 5, 8, 11 and 4 more: does a sum by halves drop them, as 24 is no power of two?");
    EXPECT_EQ(said_of_sums(6, {2, 5}), "y lacks the terms k % 6 = 2, 5: does a sum by halves drop them, as 6 is no power of two?");
}

TEST(TreeReduction, SaysNothingOfOtherTerms) {
    EXPECT_EQ(said_of_sums(6, {5}), "");
    EXPECT_EQ(said_of_sums(6, {}), "");
    EXPECT_EQ(said_of_sums(8, {7}), "");
    std::set<std::size_t> dropped;
    for (std::size_t k = 0; k < inner; ++k) {
        if (k % 25 == 24 || k % 25 % 3 == 2) dropped.insert(k);
    }
    EXPECT_EQ(said_of_sums(inner, dropped), "");  // each thread has one term only
}

}  // namespace
}  // namespace lab::diagnosis
