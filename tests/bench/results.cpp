#include "tests/bench/results.h"

#include <algorithm>

namespace lab::bench {

void Results::ReportRuns(const std::vector<Run>& runs) {
    std::vector<Run> shown;  // repetitions are too many lines
    for (const Run& run : runs) {
        if (run.run_type != Run::RT_Iteration) {
            if (run.aggregate_name == "median" || run.aggregate_name == "cv") shown.push_back(run);
            continue;
        }
        const double milliseconds = 1e3 / benchmark::GetTimeUnitMultiplier(run.time_unit);
        ms_[run.run_name.function_name].push_back(run.GetAdjustedRealTime() * milliseconds);
    }
    if (!shown.empty()) ConsoleReporter::ReportRuns(shown);
}

std::optional<double> Results::median_ms(const std::string& name) const {
    const auto found = ms_.find(name);
    if (found == ms_.end()) return std::nullopt;
    std::vector<double> sorted = found->second;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace lab::bench
