#include "common/tools/studies/study_output.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <optional>

#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace {

constexpr std::size_t width = 65, height = 11;  // both odd, so that the middle has a label
constexpr std::size_t margin = 10;

double scaled(const Axis& axis, double value) { return axis.is_logarithmic ? std::log(value) : value; }

// 0 to `cells` - 1; nothing for a value beyond the axis.
std::optional<std::size_t> cell(const Axis& axis, double value, std::size_t cells) {
    if (value < axis.least || value > axis.most) return std::nullopt;
    const double share = (scaled(axis, value) - scaled(axis, axis.least)) / (scaled(axis, axis.most) - scaled(axis, axis.least));
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(cells - 1)));
}

std::string label(const Axis& axis, double share) {
    const double at = scaled(axis, axis.least) + share * (scaled(axis, axis.most) - scaled(axis, axis.least));
    const double value = axis.is_logarithmic ? std::exp(at) : at;
    return axis.show ? axis.show(value) : fmt::format("{:.4g}", value);
}

// Labels of the horizontal axis at its start, middle and end.
std::string labels_below(const Axis& x) {
    std::string line(margin + 2 + width + margin, ' ');
    for (const double share : {0.0, 0.5, 1.0}) {
        const std::string text = label(x, share);
        const std::size_t middle = margin + 2 + static_cast<std::size_t>(share * static_cast<double>(width - 1));
        line.replace(middle - text.size() / 2, text.size(), text);
    }
    return trimmed(line);
}

}  // namespace

void check_json_option(const std::string& json) {
    if (!json.empty() && json != "-" && !std::ofstream(json, std::ios::app)) {
        throw BadInput(fmt::format("--json {}: can't write there; give a file's name, or - to print it", json));
    }
}

void check_files(const StudyFiles& files) {
    check_json_option(files.json);
    if (!files.svg.empty()) check_result_file("--svg", files.svg);
}

void hand_over(const std::string& text, const nlohmann::ordered_json& figures, const std::string& json) {
    if (json == "-") {
        fmt::print("{}\n", figures.dump(1));
        return;
    }
    print_folded(text);
    if (json.empty()) return;
    write_result("--json", json, figures.dump(1) + "\n");
}

void hand_over(const std::string& text, const nlohmann::ordered_json& figures, const StudyFiles& files,
               report::Drawing (*draw)(const nlohmann::ordered_json&)) {
    if (!files.svg.empty()) write_result("--svg", files.svg, draw(figures).svg());
    hand_over(text, figures, files.json);
}

std::string plot(const std::vector<Series>& series, const Axis& x, const Axis& y) {
    std::array<std::string, height> rows;
    rows.fill(std::string(width, ' '));
    std::string legend;
    for (const Series& each : series) {
        for (const auto& [at, value] : each.points) {
            const auto column = cell(x, at, width);
            const auto row = cell(y, value, height);
            if (column && row) rows.at(height - 1 - *row).at(*column) = each.mark;
        }
        if (!each.name.empty()) legend += fmt::format("{:{}}  {}  {}\n", "", margin, each.mark, each.name);
    }
    std::string text = fmt::format("{:>{}}\n", y.title, margin);
    for (std::size_t row = 0; row < height; ++row) {
        const double share = 1 - static_cast<double>(row) / (height - 1);
        const std::string line = fmt::format("{:>{}} |{}", row % (height / 2) == 0 ? label(y, share) : std::string(), margin, rows[row]);
        text += trimmed(line) + "\n";
    }
    text += fmt::format("{:>{}} +{}\n{}\n", "", margin, std::string(width, '-'), labels_below(x));
    text += fmt::format("{:{}}{}\n{}", "", margin + 2, x.title, legend);
    return text;
}

}  // namespace lab::tools
