// Output of a study: text for people, or JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

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

}  // namespace lab::tools
