// Output of a study: text for people, or JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lab::tools {

// Throws BadInput if `json` (an option's value; "" and "-" are no files) can't be written.
void check_json_option(const std::string& json);

// "": prints the text. A file: prints the text and writes the JSON there. "-": prints the JSON and no text.
void hand_over(const std::string& text, const nlohmann::ordered_json& figures, const std::string& json);

}  // namespace lab::tools
