// Paired benchmark: two functions timed alternately, so that whatever slows this machine down slows both.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/diagnosis/message.h"

namespace lab::grading {

using namespace diagnosis;  // suites speak of both

// Times of one function, in milliseconds.
struct Times {
    std::vector<double> all;
    [[nodiscard]] double median() const;
    [[nodiscard]] double mean() const;
    // Interquartile range of the times as a fraction of their median. 0 for a single time.
    [[nodiscard]] double relative_iqr() const;
    // Standard error of the median as a fraction of it, estimated from the interquartile range on the assumption of normally distributed
    // times.
    [[nodiscard]] double standard_error() const;
};

// One round of one function: calls it on inputs of that round, checks its output. `problem` ends the benchmark.
struct Round {
    std::vector<double> times_ms;
    Message problem;
};
using TimedFunction = std::function<Round(int round)>;

struct PairedRules {
    double threshold = 1;        // of the ratio second / first, against which it will be judged
    int rounds = 5;              // at least
    int rounds_if_far = 15;      // at least, where the ratio is more than 5 % and three times the noise away from the threshold
    int max_rounds = 15;         // while the ratio is within noise of the threshold
    int warm_up_rounds = 0;      // first ones: outputs are checked, times are not kept
    bool deterministic = false;  // modelled times: one round says it all
};

struct PairedTimes {
    Times first, second;
    Message problem;                                                                 // of the first function that had one
    [[nodiscard]] double ratio() const { return second.median() / first.median(); }  // how many times faster the first is
    [[nodiscard]] double noise() const { return first.relative_iqr() + second.relative_iqr(); }
    // Whether the ratio is so far from a threshold that noise does not decide which side of it.
    [[nodiscard]] bool is_clear(double threshold) const { return std::abs(ratio() / threshold - 1) > 2 * standard_error(); }
    // Relative standard error of the ratio.
    [[nodiscard]] double standard_error() const { return std::hypot(first.standard_error(), second.standard_error()); }
};

// Alternating rounds, each function first in every second one, until the ratio is four standard errors away from the threshold or the
// rounds are used up.
[[nodiscard]] PairedTimes run_paired(const TimedFunction& first, const TimedFunction& second, const PairedRules& rules);

}  // namespace lab::grading
