// The references against sums done by hand, and the bounds against what float arithmetic does.
#include "common/grading/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/grading/arrays.h"

namespace lab::grading {
namespace {

TEST(Reference, MultipliesRectangularMatrices) {
    const std::vector<float> M{1, 2, 3, 4, 5, 6};     // 2 x 3
    const std::vector<float> N{7, 8, 9, 10, 11, 12};  // 3 x 2
    EXPECT_EQ(expect_product(M, N, 2, 3, 2).value, (std::vector<double>{58, 64, 139, 154}));
}

TEST(Reference, MultipliesMoreThanFourRowsAlike) {
    Random random("rows");
    const auto M = random.values<double>(7 * 5);
    const auto N = random.values<double>(5 * 3);
    const auto all = expect_product(M, N, 7, 5, 3);
    for (std::size_t row = 0; row < 7; ++row) {
        const std::vector<double> one(M.begin() + static_cast<std::ptrdiff_t>(row * 5),
                                      M.begin() + static_cast<std::ptrdiff_t>(row * 5 + 5));
        const auto alone = expect_product(one, N, 1, 5, 3);
        for (std::size_t col = 0; col < 3; ++col) {
            EXPECT_NEAR(all.value[row * 3 + col], alone.value[col], 1e-14);
        }
    }
}

TEST(Reference, WalksColumnMajorMatrices) {
    const std::vector<float> A{1, 2, 3, 4, 5, 6};  // columns (1, 2), (3, 4), (5, 6)
    EXPECT_EQ(expect_matvec(A, std::vector<float>{1, 10, 100}, 2, 3, 3).value, (std::vector<double>{531, 642}));
}

TEST(Reference, RepeatsColumnsByTheirPeriod) {
    const std::vector<float> A{1, 2, 3, 4};  // columns (1, 2), (3, 4), and again
    EXPECT_EQ(expect_matvec(A, std::vector<float>{1, 10, 100, 1000}, 2, 4, 2).value, (std::vector<double>{101 + 3030, 202 + 4040}));
}

TEST(Reference, TransposesExactly) {
    const auto expected = expect_transpose(std::vector<float>{1, 2, 3, 4, 5, 6}, 2, 3);
    EXPECT_EQ(expected.value, (std::vector<double>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(*std::max_element(expected.bound.begin(), expected.bound.end()), 0);
}

// Bound and reference hold for sums in the worst usual order, and one product left out is far beyond the bound.
TEST(Bounds, HoldForAnyOrderButNotForAMissingProduct) {
    for (const std::size_t W : {10U, 100U, 400U}) {
        Random random("bounds");
        const auto M = random.values<float>(W * W);
        const auto N = random.values<float>(W * W);
        const auto expected = expect_product(M, N, W, W, W);
        std::size_t missed = 0;
        for (std::size_t i = 0; i < W; ++i) {
            const std::size_t j = (7 * i + 3) % W;
            float forward = 0;
            float backward = 0;
            float lacking = 0;
            for (std::size_t k = 0; k < W; ++k) {
                forward += M[i * W + k] * N[k * W + j];
                backward += M[i * W + W - 1 - k] * N[(W - 1 - k) * W + j];
                if (k != W / 2) {
                    lacking += M[i * W + k] * N[k * W + j];
                }
            }
            EXPECT_LE(std::abs(forward - expected.value[i * W + j]), expected.bound[i * W + j]);
            EXPECT_LE(std::abs(backward - expected.value[i * W + j]), expected.bound[i * W + j]);
            missed += std::abs(lacking - expected.value[i * W + j]) > expected.bound[i * W + j] ? 1 : 0;
        }
        EXPECT_GT(missed, W * 9 / 10) << "a missing product should stand out nearly everywhere at W=" << W;
    }
}

}  // namespace
}  // namespace lab::grading
