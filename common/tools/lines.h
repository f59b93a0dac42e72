// Lines of a text.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace lab::tools {

[[nodiscard]] inline std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

[[nodiscard]] inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace lab::tools
