// Performance demands of the project, beside the measured figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bench/results.h"

namespace lab::bench {

struct Figure {
    std::string name;
    double most = 0;  // the demand: at most this
    std::string unit;
    std::optional<double> measured;  // nothing: not run
    [[nodiscard]] bool met() const { return measured && *measured <= most; }
};

// Every figure with a demand; `memory_mb` is measured separately from the benchmarks.
[[nodiscard]] std::vector<Figure> figures(const Results& results, std::optional<double> memory_mb);

[[nodiscard]] std::string table(const std::vector<Figure>& figures);

}  // namespace lab::bench
