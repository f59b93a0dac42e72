// Text plots of curves, for a terminal and for a handout.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lab::tools {

struct Series {
    std::string name;
    char mark = '*';
    std::vector<std::pair<double, double>> points;
};

struct Axis {
    std::string title;
    bool is_logarithmic = false;
    double least = 0, most = 1;                         // least > 0 if logarithmic
    std::function<std::string(double)> show = nullptr;  // format of a value on the axis
};

// One character a point; where two coincide, the later series is shown. Points beyond the axes are omitted.
[[nodiscard]] std::string plot(const std::vector<Series>& series, const Axis& x, const Axis& y);

}  // namespace lab::tools
