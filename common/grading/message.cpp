#include "common/grading/message.h"

#include <fmt/format.h>

#include <sstream>

namespace lab::grading {

Message Message::at(const std::string& place) const& {
    Message placed = *this;
    if (!placed.empty() && !place.empty()) {
        placed.where.insert(placed.where.begin(), place);
    }
    return placed;
}

Message Message::with(const std::string& line) const& {
    Message more = *this;
    if (!more.empty() && !line.empty()) {
        more.evidence.push_back(line);
    }
    return more;
}

Message Message::on(Section section) const& {
    Message directed = *this;
    directed.about = section;
    return directed;
}

std::string to_text(const Message& message) {
    std::vector<std::string> lines{message.what};
    for (const auto& place : message.where) {
        lines.push_back("  where: " + place);
    }
    const std::size_t after = message.read.empty() ? 0 : 1;
    const std::size_t room = Message::most_lines - after - lines.size();
    const bool fits = message.evidence.size() <= room;
    const std::size_t shown = fits ? message.evidence.size() : room - 1;
    for (std::size_t at = 0; at < shown; ++at) {
        lines.push_back("  " + message.evidence[at]);
    }
    if (!fits) {
        lines.push_back(fmt::format("  ... {} lines more", message.evidence.size() - shown));
    }
    if (!message.read.empty()) {
        lines.push_back("  read: " + message.read);
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

Message from_text(const std::string& text) {
    std::istringstream stream(text);
    Message message;
    std::getline(stream, message.what);
    for (std::string line; std::getline(stream, line);) {
        const auto first = line.find_first_not_of(' ');
        if (first != std::string::npos) {
            message.evidence.push_back(line.substr(first));
        }
    }
    return message;
}

}  // namespace lab::grading
