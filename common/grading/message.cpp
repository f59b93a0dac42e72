#include "common/grading/message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/trace/json.h"

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

Message Message::led_by(const std::string& cause) const& {
    Message message = *this;
    message.evidence.insert(message.evidence.begin(), Line(what));
    message.what = cause;
    return message;
}

Message Message::on(Section section) const& {
    Message directed = *this;
    directed.about = section;
    return directed;
}

Message Message::of(Topic topic) const& {
    Message more = *this;
    if (!more.empty()) {
        more.topics.insert(topic);
    }
    return more;
}

void Message::take_topics(const Message& other) {
    const std::set<Topic> all = other.all_topics();
    topics.insert(all.begin(), all.end());
    findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

std::set<Topic> Message::all_topics() const {
    std::set<Topic> all = topics;
    all.insert(kind);
    all.erase(Topic::none);
    return all;
}

std::vector<Line> lines(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

std::string to_text(const Message& message) {
    std::vector<std::string> lines{message.what};
    for (const auto& place : message.where) {
        lines.push_back("  where: " + place);
    }
    const std::size_t after = message.read.empty() ? 0 : 1;
    const std::size_t room = Message::max_lines - after - lines.size();
    const bool fits = message.evidence.size() <= room;
    const std::size_t shown = fits ? message.evidence.size() : room - 1;
    for (std::size_t at = 0; at < shown; ++at) {
        lines.push_back("  " + message.evidence[at].text);
    }
    if (!fits) {
        lines.push_back(fmt::format("  ... {} lines more", message.evidence.size() - shown));
    }
    if (!message.read.empty()) {
        lines.push_back("  read: " + message.read);
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

nlohmann::json to_json(const Message& message) {
    nlohmann::json evidence = nlohmann::json::array();
    for (const Line& line : message.evidence) {
        evidence.push_back(line.text);
    }
    nlohmann::json topics = nlohmann::json::array();
    for (const Topic topic : message.all_topics()) {
        topics.push_back(name_of(topic));
    }
    nlohmann::json json = {{"what", message.what}, {"where", message.where}, {"evidence", evidence},
                           {"read", message.read}, {"topics", topics},       {"findings", message.findings}};
    if (const auto& wrong = message.wrong) {
        json["wrong"] = {{"name", wrong->name},         {"rows", wrong->rows},           {"columns", wrong->columns},
                         {"wrong_count", wrong->count}, {"cell_rows", wrong->cell_rows}, {"cell_columns", wrong->cell_columns},
                         {"cells", wrong->cells}};
    }
    return json;
}

}  // namespace lab::grading
