// Values prove a formula only if they could hardly agree with it by chance.

#include <gtest/gtest.h>

#include <random>

#include "common/diagnosis/causes/samples.h"
#include "common/diagnosis/verdict.h"
#include "common/grading/reference.h"

namespace lab::diagnosis {
namespace {

using namespace grading;  // references and inputs

struct Matvec {
    static constexpr std::size_t rows = 32, cols = 96;
    std::vector<float> A, x;
    Expected expected;
    explicit Matvec(unsigned seed) : A(rows * cols), x(cols) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> value(-1, 1);
        for (float& one : A) one = value(random);
        for (float& one : x) one = value(random);
        expected = expect_matvec(A, x, rows, cols, cols);
    }
    [[nodiscard]] std::string verdict(const std::vector<float>& y) const {
        constexpr std::uint64_t poison = 0x7f812345;
        return compare(Shape{"y", 1, rows, true}, y, expected, poison, Launched{1, 1, 32, 32, 1024, false, false}).what;
    }
};

TEST(Evidence, TakesNoZerosForAProduct) {
    // Some of the thousands of indices always give sums near 0.
    constexpr unsigned seeds = 150;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        const std::string said = Matvec(seed).verdict(std::vector<float>(Matvec::rows));
        EXPECT_EQ(said.find("was made from"), std::string::npos) << said;
    }
}

TEST(Evidence, TakesAConstantForNoRareIndex) {
    constexpr unsigned seeds = 150;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        const std::string said = Matvec(seed).verdict(std::vector<float>(Matvec::rows, 0.125F));
        EXPECT_EQ(said.find("was made from"), std::string::npos) << said;
    }
}

TEST(Evidence, OfOneSumSufficesForASimpleIndex) {
    const Matvec matvec(1);
    float sum = 0;
    for (std::size_t col = 0; col < Matvec::cols; ++col) sum += matvec.A[col * Matvec::rows] * matvec.x[col];
    EXPECT_EQ(matvec.verdict(std::vector<float>(Matvec::rows, sum)), "y[row] was made from A[col * 32] instead of A[col * 32 + row]");
}

TEST(Evidence, CountsEqualPredictionsOnce) {
    const std::vector<Agreement> equal(100, {0.5, 0.5});
    std::vector<Agreement> distinct = equal;
    distinct.push_back({0.25, 0.25});
    EXPECT_FALSE(prove(equal, 1e-3, 2, 1000));
    EXPECT_TRUE(prove(distinct, 1e-3, 2, 1000));
}

}  // namespace
}  // namespace lab::diagnosis
