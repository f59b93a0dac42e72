#include "common/tools/studies/study_output.h"

#include <fmt/format.h>

#include <fstream>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::tools {

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

}  // namespace lab::tools
