#include "common/diagnosis/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/trace/json.h"

namespace lab::diagnosis {
namespace {

struct Heading {
    Section section;
    const char* text;
};
constexpr std::array headings{Heading{Section::idea, "The idea"}, Heading{Section::task, "What to write"},
                              Heading{Section::failures, "Reading a failure"}, Heading{Section::mistakes, "Mistakes that many make"}};

// "handouts/lab<n>_topic.md" of each lab that has one; CMake finds them by name.
std::vector<std::string> handouts() {
    std::istringstream names(LAB_HANDOUTS);
    return {std::istream_iterator<std::string>(names), {}};
}

}  // namespace

std::string reading(int lab, Section section) {
    const std::vector<std::string> all = handouts();
    const std::string start = "handouts/lab" + std::to_string(lab) + "_";
    const auto handout = std::find_if(all.begin(), all.end(), [&](const std::string& file) { return file.rfind(start, 0) == 0; });
    const auto* heading = std::find_if(headings.begin(), headings.end(), [&](const Heading& one) { return one.section == section; });
    if (handout == all.end() || heading == headings.end()) {
        return "";
    }
    return *handout + ", " + heading->text;
}

std::vector<Reading> all_readings() {
    std::vector<Reading> all;
    for (const std::string& handout : handouts()) {
        for (const Heading& heading : headings) {
            all.push_back({handout, heading.text});
        }
    }
    return all;
}

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

Message Message::led_by(const std::string& first_line, const std::string& name) const& {
    Message message = *this;
    message.evidence.insert(message.evidence.begin(), Line(what));
    message.what = first_line;
    message.cause = name;
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
    if (!message.cause.empty()) json["cause"] = message.cause;
    if (const auto& wrong = message.wrong) {
        json["wrong"] = {{"name", wrong->name},         {"rows", wrong->rows},           {"columns", wrong->columns},
                         {"wrong_count", wrong->count}, {"cell_rows", wrong->cell_rows}, {"cell_columns", wrong->cell_columns},
                         {"cells", wrong->cells}};
    }
    return json;
}

std::vector<Explanation> lacks_rest(const std::string& line, std::size_t reached, std::size_t all, const std::string& what) {
    std::vector<Explanation> fitting;
    for (const std::size_t step : {std::size_t{2}, std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
        if (reached < all && reached == all / step * step) {
            fitting.push_back(
                {fmt::format("{}s by {}", line, step),
                 fmt::format("{}, and {} is the last multiple of {} up to {}: does a loop that takes {} at a time lack a rest?", what,
                             reached, step, all, step)});
        }
    }
    return fitting;
}

std::string shared_explanation(const std::vector<std::vector<Explanation>>& at_shapes, const std::vector<Explanation>& of_message) {
    std::vector<Explanation> shared;
    for (const Explanation& one : of_message) {
        const bool is_everywhere = std::all_of(at_shapes.begin(), at_shapes.end(), [&](const std::vector<Explanation>& there) {
            return std::any_of(there.begin(), there.end(), [&](const Explanation& other) { return other.name == one.name; });
        });
        if (is_everywhere) {
            shared.push_back(one);
        }
    }
    if (at_shapes.size() < 2 || shared.empty()) {
        return "";
    }
    // The last one is always true.
    const bool has_only_one = shared.size() == 2 && shared.back().name == of_message.back().name;
    const bool is_first = shared.front().name == of_message.front().name;
    return has_only_one || shared.size() == 1 ? shared.front().what : is_first ? "" : shared.back().what;
}

}  // namespace lab::diagnosis
