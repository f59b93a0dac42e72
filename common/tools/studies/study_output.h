// Output of a study: text for people, with plots of curves in text, or JSON for programs.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/report/svg.h"

namespace lab::tools {

// Throws BadInput if `json` (an option's value; "" and "-" are no files) can't be written.
void check_json_option(const std::string& json);

// Files for a study's results besides the terminal, as given to options; "" if not given.
struct StudyFiles {
    std::string json, svg;
};
// Throws BadInput if one of them can't be written.
void check_files(const StudyFiles& files);

// "": prints the text. A file: prints the text and writes the JSON there. "-": prints the JSON and no text.
void hand_over(const std::string& text, const nlohmann::ordered_json& figures, const std::string& json);
// The same, and draws the figures into the file of --svg.
void hand_over(const std::string& text, const nlohmann::ordered_json& figures, const StudyFiles& files,
               report::Drawing (*draw)(const nlohmann::ordered_json&));

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
