// All times of a run, by benchmark, while Google Benchmark prints them as usual.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lab::bench {

class Results : public benchmark::ConsoleReporter {
public:
    Results() : ConsoleReporter(OO_Tabular) {}
    void ReportRuns(const std::vector<Run>& runs) override;

    // Median of all repetitions, in milliseconds; nothing if that benchmark didn't run.
    [[nodiscard]] std::optional<double> median_ms(const std::string& name) const;

private:
    std::map<std::string, std::vector<double>> ms_;
};

}  // namespace lab::bench
