// Paired benchmarks: alternating, judged by medians, repeated while noise leaves the verdict open.
#include "common/grading/duel.h"

#include <gtest/gtest.h>

namespace lab::grading {
namespace {

Side constant(double ms, std::string* order = nullptr, char name = ' ') {
    return [=](int) {
        if (order != nullptr) {
            *order += name;
        }
        return Round{{ms}, ""};
    };
}

TEST(Duel, TakesTurnsAtGoingFirst) {
    std::string order;
    const auto outcome = duel(constant(1, &order, 'a'), constant(2, &order, 'b'), {.threshold = 1, .rounds = 4, .max_rounds = 4});
    EXPECT_EQ(order, "abbaabba");
    EXPECT_DOUBLE_EQ(outcome.ratio(), 2);
}

TEST(Duel, StopsWhenTheVerdictIsClear) {
    EXPECT_EQ(duel(constant(1), constant(2), {.threshold = 1, .rounds = 5, .max_rounds = 15}).first.all.size(), 5U);
}

TEST(Duel, StopsSoonerWhenTheRatioIsFarFromTheThreshold) {
    const DuelRules rules{.threshold = 1, .rounds = 9, .rounds_if_far = 4, .max_rounds = 15};
    EXPECT_EQ(duel(constant(1), constant(2), rules).first.all.size(), 4U);
    EXPECT_EQ(duel(constant(1), constant(1.04), rules).first.all.size(), 9U);  // clear, as there is no noise, but near
    const auto noisy = [](int round) { return Round{{round % 2 == 0 ? 0.9 : 1.1}, ""}; };
    EXPECT_EQ(duel(noisy, constant(1.5), rules).first.all.size(), 9U);  // far, but not three times as far as it is noisy
}

TEST(Duel, GoesOnWhileNoiseHidesTheVerdict) {
    const auto noisy = [](int round) { return Round{{round % 2 == 0 ? 0.8 : 1.2}, ""}; };
    EXPECT_EQ(duel(noisy, constant(1), {.threshold = 1, .rounds = 5, .max_rounds = 15}).first.all.size(), 15U);
}

TEST(Duel, StopsOnceMoreRoundsMakeTheMedianSureEnough) {
    // 8 % apart, each side spread over 10 %: four standard errors of the ratio are 13 % after 8 rounds and 8 % after 22.
    const auto spread = [](int round) { return Round{{0.95 + 0.1 * (round % 5) / 4}, ""}; };
    const auto rounds = duel(spread,
                             [&](int round) {
                                 return Round{{1.08 * spread(round).times_ms[0]}, ""};
                             },
                             {.threshold = 1, .rounds = 5, .max_rounds = 50})
                            .first.all.size();
    EXPECT_GT(rounds, 5U);
    EXPECT_LT(rounds, 30U);
}

TEST(Duel, NeedsOneRoundOfModelledTimes) {
    EXPECT_EQ(duel(constant(1), constant(1), {.threshold = 1, .deterministic = true}).first.all.size(), 1U);
}

TEST(Duel, EndsAtAProblem) {
    const auto wrong = [](int round) { return Round{{1.0}, round == 1 ? "wrong in round 1" : ""}; };
    EXPECT_EQ(duel(wrong, constant(1), {.threshold = 1, .rounds = 5, .max_rounds = 15}).problem.what, "wrong in round 1");
    EXPECT_EQ(duel(constant(1), [](int) { return Round{}; }, {.threshold = 1, .rounds = 5, .max_rounds = 15}).problem.what,
              "no time was measured");
}

TEST(Times, AreSummedUpByMedianAndSpread) {
    const Times times{{5, 1, 2, 3, 100}};
    EXPECT_DOUBLE_EQ(times.median(), 3);
    EXPECT_DOUBLE_EQ(times.spread(), 1);  // (5 - 2) / 3
    EXPECT_DOUBLE_EQ(Times{{4}}.spread(), 0);
}

}  // namespace
}  // namespace lab::grading
