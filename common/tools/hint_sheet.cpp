#include "common/tools/hint_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/findings/fold.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"

namespace lab::tools {
namespace {

// Reads line by line; a blank line inside a hint starts its next paragraph.
class SheetReader {
public:
    explicit SheetReader(const std::filesystem::path& file) : file_(file) {}

    std::vector<HintSection> read() {
        std::ifstream stream(file_);
        if (!stream) throw BadInput(fmt::format("can't read the hints in {}", file_.string()));
        for (std::string line; std::getline(stream, line);) {
            ++line_;
            take(line);
        }
        finish_section();
        return std::move(sections_);
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw BadInput(fmt::format("{}:{}: {}", std::filesystem::path(file_).string(), line_, why));
    }

    void take(const std::string& line) {
        if (line.rfind("## ", 0) == 0) {
            finish_section();
            begin_section(line.substr(3));
        } else if (sections_.empty()) {
            return;
        } else if (line.empty()) {
            blank_ = true;
        } else if (begins_hint(line)) {
            begin_hint(line);
            blank_ = false;
        } else if (line.rfind("   ", 0) == 0 && !hints().empty()) {
            hints().back().text += (blank_ ? "\n\n" : " ") + line.substr(line.find_first_not_of(' '));
            blank_ = false;
        } else {
            refuse("neither a section (## Lab<n>.Test), nor a hint (1. text), nor the indented rest of one");
        }
    }

    // "1. text" or "1. [when: race, shared memory] text".
    static bool begins_hint(const std::string& line) {
        const std::size_t digits = line.find_first_not_of("0123456789");
        return digits != 0 && digits != std::string::npos && line.compare(digits, 2, ". ") == 0;
    }
    void begin_hint(const std::string& line) {
        constexpr std::string_view when = "[when: ";
        if (std::stoul(line) != hints().size() + 1) refuse(fmt::format("expected hint {}", hints().size() + 1));
        Hint hint{line.substr(line.find(' ') + 1), {}};
        if (const std::size_t end = hint.text.find("] "); hint.text.rfind(when, 0) == 0 && end != std::string::npos) {
            hint.when = topics_in(hint.text.substr(when.size(), end - when.size()));
            hint.text.erase(0, end + 2);
        }
        if (hint.text.empty() || hint.text.front() == ' ') refuse("a hint without a text");
        hints().push_back(std::move(hint));
    }

    [[nodiscard]] std::set<diagnosis::Topic> topics_in(const std::string& list) const {
        std::set<diagnosis::Topic> topics;
        for (std::size_t start = 0; start <= list.size();) {
            const std::size_t end = std::min(list.find(", ", start), list.size());
            const std::string name = list.substr(start, end - start);
            const auto topic = name.empty() ? std::nullopt : named<diagnosis::Topic>(name);
            if (!topic) refuse(fmt::format("no failure is about '{}'; common/diagnosis/topic.h has the topics", name));
            topics.insert(*topic);
            start = end + 2;
        }
        return topics;
    }

    void begin_section(const std::string& about) {
        const auto same = [&](const HintSection& section) { return section.about == about; };
        if (std::any_of(sections_.begin(), sections_.end(), same)) refuse("a second section for " + about);
        sections_.push_back({about, {}});
        blank_ = false;
    }

    void finish_section() const {
        if (!sections_.empty() && sections_.back().hints.empty()) refuse("no hints for " + sections_.back().about);
    }

    std::vector<Hint>& hints() { return sections_.back().hints; }

    const std::filesystem::path& file_;
    std::vector<HintSection> sections_;
    int line_ = 0;
    bool blank_ = false;
};

}  // namespace

std::vector<HintSection> read_hints(const std::filesystem::path& file) { return SheetReader(file).read(); }

std::vector<Hint> fitting(const std::vector<HintSection>& sheet, const std::string& about, const std::set<diagnosis::Topic>& topics) {
    std::vector<Hint> fit;
    for (const HintSection& section : sheet) {
        if (section.about != about) continue;
        const auto fits = [&](const Hint& hint) { return std::includes(topics.begin(), topics.end(), hint.when.begin(), hint.when.end()); };
        std::copy_if(section.hints.begin(), section.hints.end(), std::back_inserter(fit), fits);
    }
    return fit;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
    const std::string margin(indent, ' ');
    std::string result;
    for (const std::string& paragraph : lines_of(text)) {
        std::string line;
        std::istringstream words(paragraph);
        for (std::string word; words >> word;) {
            if (!line.empty() && indent + shown_length(line) + 1 + shown_length(word) > width) {
                result += margin + line + "\n";
                line.clear();
            }
            line += (line.empty() ? "" : " ") + word;
        }
        result += (line.empty() ? "" : margin + line) + "\n";
    }
    return result;
}

}  // namespace lab::tools
