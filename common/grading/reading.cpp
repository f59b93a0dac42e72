#include "common/grading/reading.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace lab::grading {
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

}  // namespace lab::grading
