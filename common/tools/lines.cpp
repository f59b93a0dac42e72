#include "common/tools/lines.h"

#include <algorithm>
#include <sstream>

namespace lab::tools {
namespace {

std::size_t edit_distance(const std::string& one, const std::string& other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 1; i <= one.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (one[i - 1] == other[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string last_message(const std::string& output) {
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

std::string trimmed(const std::string& text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

std::string tail(const std::string& text, std::size_t count) { return text.substr(text.size() - std::min(text.size(), count)); }

std::vector<std::string> nearest(std::vector<std::string> names, const std::string& name) {
    std::ranges::stable_sort(names, {}, [&](const std::string& one) { return edit_distance(one, name); });
    names.resize(std::min<std::size_t>(names.size(), 3));
    return names;
}

}  // namespace lab::tools
