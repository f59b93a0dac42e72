#include "common/grading/paired_benchmark.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab::grading {
namespace {

double quantile(std::vector<double> values, double fraction) {
    if (values.empty()) {
        return std::nan("");
    }
    std::sort(values.begin(), values.end());
    const double at = fraction * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

bool run_round(const TimedFunction& side, int round, Times* times, Message* problem) {
    const Round played = side(round);
    times->all.insert(times->all.end(), played.times_ms.begin(), played.times_ms.end());
    *problem = played.problem;
    if (problem->empty() && played.times_ms.empty()) {
        *problem = Message("no time was measured");
    }
    return problem->empty();
}

}  // namespace

double Times::median() const { return quantile(all, 0.5); }
double Times::mean() const { return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()); }
double Times::standard_error() const {
    constexpr double median_by_range = 0.93;  // 1.253 standard deviations by 1.349 of them to an interquartile range
    return median_by_range * relative_iqr() / std::sqrt(static_cast<double>(all.size()));
}
double Times::relative_iqr() const { return all.size() < 2 ? 0 : (quantile(all, 0.75) - quantile(all, 0.25)) / median(); }

PairedTimes run_paired(const TimedFunction& first, const TimedFunction& second, const PairedRules& rules) {
    PairedTimes outcome;
    const int rounds = rules.deterministic ? 1 : rules.rounds;
    const int most = rules.deterministic ? 1 : rules.max_rounds;
    PairedTimes warm_up;
    for (int round = 0; round < rules.warm_up_rounds; ++round) {
        if (!run_round(first, round, &warm_up.first, &outcome.problem) || !run_round(second, round, &warm_up.second, &outcome.problem)) {
            return outcome;
        }
    }
    for (int played = 0; played < most; ++played) {
        const int round = rules.warm_up_rounds + played;
        const bool swapped = round % 2 == 1;
        const TimedFunction& earlier = swapped ? second : first;
        const TimedFunction& later = swapped ? first : second;
        if (!run_round(earlier, round, swapped ? &outcome.second : &outcome.first, &outcome.problem) ||
            !run_round(later, round, swapped ? &outcome.first : &outcome.second, &outcome.problem)) {
            return outcome;
        }
        const double apart = std::abs(outcome.ratio() / rules.threshold - 1);
        const bool is_clear = apart > 4 * outcome.standard_error();
        const bool is_far = apart > 0.05 && apart > 3 * outcome.noise();
        if ((played + 1 >= rounds && is_clear) || (played + 1 >= std::min(rounds, rules.rounds_if_far) && is_far)) {
            break;
        }
    }
    return outcome;
}

}  // namespace lab::grading
