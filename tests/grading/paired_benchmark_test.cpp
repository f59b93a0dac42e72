// Paired benchmarks: runs alternate, are judged by medians, and repeated while noise leaves the verdict open.
#include "common/grading/paired_benchmark.h"

#include <gtest/gtest.h>

namespace lab::grading {
namespace {

TimedFunction constant(double ms, std::string* order = nullptr, char name = ' ') {
    return [=](int) {
        if (order != nullptr) {
            *order += name;
        }
        return Round{{ms}, ""};
    };
}

TEST(PairedBenchmark, SidesAlternateInGoingFirst) {
    std::string order;
    const auto outcome = run_paired(constant(1, &order, 'a'), constant(2, &order, 'b'), {.threshold = 1, .rounds = 4, .max_rounds = 4});
    EXPECT_EQ(order, "abbaabba");
    EXPECT_DOUBLE_EQ(outcome.ratio(), 2);
}

TEST(PairedBenchmark, StopsWhenTheVerdictIsClear) {
    EXPECT_EQ(run_paired(constant(1), constant(2), {.threshold = 1, .rounds = 5, .max_rounds = 15}).first.all.size(), 5U);
}

TEST(PairedBenchmark, StopsSoonerWhenTheRatioIsFarFromTheThreshold) {
    const PairedRules rules{.threshold = 1, .rounds = 9, .rounds_if_far = 4, .max_rounds = 15};
    EXPECT_EQ(run_paired(constant(1), constant(2), rules).first.all.size(), 4U);
    EXPECT_EQ(run_paired(constant(1), constant(1.04), rules).first.all.size(), 9U);  // clear, as there is no noise, but near
    const auto noisy = [](int round) { return Round{{round % 2 == 0 ? 0.9 : 1.1}, ""}; };
    EXPECT_EQ(run_paired(noisy, constant(1.5), rules).first.all.size(), 9U);  // far, but not three times as far as it is noisy
}

TEST(PairedBenchmark, GoesOnWhileNoiseHidesTheVerdict) {
    const auto noisy = [](int round) { return Round{{round % 2 == 0 ? 0.8 : 1.2}, ""}; };
    EXPECT_EQ(run_paired(noisy, constant(1), {.threshold = 1, .rounds = 5, .max_rounds = 15}).first.all.size(), 15U);
}

TEST(PairedBenchmark, StopsOnceMoreRoundsMakeTheMedianSureEnough) {
    // 8 % apart, each side spread over 10 %: four standard errors of the ratio are 13 % after 8 rounds and 8 % after 22.
    const auto spread = [](int round) { return Round{{0.95 + 0.1 * (round % 5) / 4}, ""}; };
    const auto rounds = run_paired(spread,
                                   [&](int round) {
                                       return Round{{1.08 * spread(round).times_ms[0]}, ""};
                                   },
                                   {.threshold = 1, .rounds = 5, .max_rounds = 50})
                            .first.all.size();
    EXPECT_GT(rounds, 5U);
    EXPECT_LT(rounds, 30U);
}

TEST(PairedBenchmark, NeedsOneRoundOfModelledTimes) {
    EXPECT_EQ(run_paired(constant(1), constant(1), {.threshold = 1, .deterministic = true}).first.all.size(), 1U);
}

TEST(PairedBenchmark, EndsAtAProblem) {
    const auto wrong = [](int round) { return Round{{1.0}, round == 1 ? "wrong in round 1" : ""}; };
    EXPECT_EQ(run_paired(wrong, constant(1), {.threshold = 1, .rounds = 5, .max_rounds = 15}).problem.what, "wrong in round 1");
    EXPECT_EQ(run_paired(constant(1), [](int) { return Round{}; }, {.threshold = 1, .rounds = 5, .max_rounds = 15}).problem.what,
              "no time was measured");
}

TEST(Times, AreSummedUpByMedianAndSpread) {
    const Times times{{5, 1, 2, 3, 100}};
    EXPECT_DOUBLE_EQ(times.median(), 3);
    EXPECT_DOUBLE_EQ(times.relative_iqr(), 1);  // (5 - 2) / 3
    EXPECT_DOUBLE_EQ(Times{{4}}.relative_iqr(), 0);
}

}  // namespace
}  // namespace lab::grading
