// Paired benchmark: two functions timed alternately, so that whatever slows this machine down slows both.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/grading/message.h"

namespace lab::grading {

// Times of one side, in milliseconds.
struct Times {
    std::vector<double> all;
    [[nodiscard]] double median() const;
    [[nodiscard]] double mean() const;
    // Relative interquartile range of the times. 0 for a single time.
    [[nodiscard]] double spread() const;
    // Relative standard error of the median, estimated from the interquartile range for normally distributed times.
    [[nodiscard]] double standard_error() const;
};

// One round of one side: calls it on the round's inputs, checks its output. `problem` ends the benchmark.
struct Round {
    std::vector<double> times_ms;
    Message problem;
};
using Side = std::function<Round(int round)>;

struct DuelRules {
    double threshold = 1;        // of the ratio second / first, against which it is judged
    int rounds = 5;              // at least
    int rounds_if_far = 15;      // at least, if the ratio is more than 5 % and three standard errors away from the threshold
    int max_rounds = 15;         // while the ratio is within noise of the threshold
    int warm_up_rounds = 0;      // run first: outputs are checked, times are not kept
    bool deterministic = false;  // modelled times: one round suffices
};

struct Outcome {
    Times first, second;
    Message problem;                                                                 // of the first side or the second that had one
    [[nodiscard]] double ratio() const { return second.median() / first.median(); }  // how many times faster the first is
    [[nodiscard]] double noise() const { return first.spread() + second.spread(); }
    // Whether the ratio differs significantly from the threshold.
    [[nodiscard]] bool is_clear(double threshold) const { return std::abs(ratio() / threshold - 1) > 2 * standard_error(); }
    // Relative standard error of the ratio.
    [[nodiscard]] double standard_error() const { return std::hypot(first.standard_error(), second.standard_error()); }
};

// Alternates rounds, each side going first in every second one, until the ratio is four standard errors away from the threshold or all
// rounds are used.
[[nodiscard]] Outcome duel(const Side& first, const Side& second, const DuelRules& rules);

}  // namespace lab::grading
