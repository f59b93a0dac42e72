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

// The last message of a `lab` command in its output, with all its lines and without "lab: "; the last line if there is no message.
[[nodiscard]] inline std::string last_message(const std::string& output) {
    std::string message;
    for (const std::string& line : lines_of(output)) {
        if (line.starts_with("lab: ")) {
            message = line.substr(5);
        } else if (line.starts_with(' ') && !message.empty()) {
            message += "\n" + line;
        } else if (!line.empty()) {
            message = line;
        }
    }
    return message;
}

}  // namespace lab::tools
