#include "common/grading/shapes.h"

#include <fmt/format.h>

#include "common/grading/points.h"

namespace lab::grading {
namespace {

constexpr std::size_t most_named = 4;

std::string named(const std::string& heading, const std::vector<std::string>& shapes) {
    if (shapes.empty()) {
        return "";
    }
    const auto end = shapes.begin() + static_cast<std::ptrdiff_t>(std::min(most_named, shapes.size()));
    const std::string more = shapes.size() > most_named ? fmt::format(" and {} more", shapes.size() - most_named) : "";
    return fmt::format("{} {}{}", heading, fmt::join(shapes.begin(), end, ", "), more);
}

}  // namespace

void Shapes::attempt(const std::string& shape, const std::function<Message()>& verdict) {
    if (hung_) {
        untried_.push_back(shape);
        return;
    }
    Message problem = verdict();
    if (problem.empty()) {
        right_.push_back(shape);
        return;
    }
    hung_ = problem.kind == "hang" || problem.kind == "endless";
    if (first_.empty()) {
        first_ = std::move(problem);
    } else {
        also_.push_back(shape);
    }
}

Message Shapes::message() const {
    std::string others;
    for (const auto& part : {named("also at", also_), named("right at", right_), named("not tried at", untried_)}) {
        others += (others.empty() || part.empty() ? "" : "; ") + part;
    }
    Message whole = first_.with(others);
    // The map gives way before the line on the other shapes does.
    const std::size_t room = Message::most_lines - 3 - whole.where.size();
    if (!others.empty() && whole.evidence.size() > room) {
        whole.evidence.erase(whole.evidence.begin() + static_cast<std::ptrdiff_t>(room), whole.evidence.end() - 1);
    }
    return whole;
}

void Shapes::judge() const {
    if (const auto problem = message(); !problem.empty()) {
        fail(problem);
    }
}

}  // namespace lab::grading
