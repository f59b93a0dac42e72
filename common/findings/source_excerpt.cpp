#include "common/findings/source_excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/findings/finding_text.h"

namespace lab {
namespace {

constexpr std::size_t tab_width = 4;

// A marked place in a file.
struct Mark {
    std::uint32_t line = 0, column = 0;
    std::string text;
    bool operator==(const Mark&) const = default;
};

// A line of source as a terminal shows it, and the byte at which `column` begins (counted from 1; 0 stays unknown).
struct ShownLine {
    std::string text;
    std::size_t column = 0;
};

ShownLine without_tabs(const std::string& line, std::size_t column) {
    ShownLine shown;
    for (std::size_t i = 0; i < line.size() && line[i] != '\r'; ++i) {
        if (i + 1 == column) shown.column = shown.text.size() + 1;
        if (line[i] == '\t') {
            shown.text.append(tab_width - shown.text.size() % tab_width, ' ');
        } else {
            shown.text += line[i];
        }
    }
    // A compiler misses a semicolon behind the line.
    if (column != 0 && column == line.size() + 1) shown.column = shown.text.size() + 1;
    return shown;
}

std::size_t first_of_text(const std::string& text) { return std::min(text.size(), text.find_first_not_of(' ')); }

// Cuts a line to `room` characters, such that `column` stays in it.
void cut(ShownLine* shown, std::size_t room) {
    constexpr std::size_t least_context = 10;
    if (shown->text.size() > room && shown->column > room - least_context) {
        const std::size_t gone = std::min(shown->column - room / 2, shown->text.size() - room);
        shown->text = "..." + shown->text.substr(gone + 3);
        shown->column -= gone;
    }
    if (shown->text.size() > room) shown->text = shown->text.substr(0, room - 4) + " ...";
}

// "^" at the column, or "~~~" below the statement.
std::string marks_below(const ShownLine& shown) {
    if (shown.column != 0) return std::string(shown.column - 1, ' ') + "^";
    const std::size_t first = first_of_text(shown.text);
    const std::size_t last = shown.text.find_last_not_of(' ');
    return last == std::string::npos ? "" : std::string(first, ' ') + std::string(last - first + 1, '~');
}

std::vector<std::string> excerpt(std::vector<Mark> marks, const SourceText& source, std::size_t width) {
    std::erase_if(marks, [&](const Mark& mark) { return mark.line == 0 || mark.line > source.lines.size(); });
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.line < b.line; });
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    if (marks.empty()) return {};
    const std::size_t digits = fmt::format("{}", marks.back().line).size();
    const std::size_t room = std::max<std::size_t>(width, 40) - digits - 3;
    std::size_t indent = room / 2;
    for (const Mark& mark : marks) indent = std::min(indent, first_of_text(without_tabs(source.lines[mark.line - 1], 0).text));
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        ShownLine shown = without_tabs(source.lines[marks[i].line - 1], marks[i].column);
        shown.text.erase(0, indent);
        shown.column = shown.column > indent ? shown.column - indent : 0;
        cut(&shown, room);
        if (i == 0 || marks[i].line != marks[i - 1].line) lines.push_back(fmt::format("{:>{}} | {}", marks[i].line, digits, shown.text));
        const std::string below = marks_below(shown);
        const std::size_t words = marks[i].text.size();
        const bool fits_behind = below.size() + 1 + words <= room;
        lines.push_back(fmt::format("{:>{}} | {}{}", "", digits, below, fits_behind && words > 0 ? " " + marks[i].text : ""));
        if (!fits_behind && words > 0 && words < room)
            lines.push_back(fmt::format("{:>{}} | {}{}", "", digits, std::string(room - words, ' '), marks[i].text));
    }
    return lines;
}

}  // namespace

SourceText read_source(const std::string& path) {
    SourceText source{path.substr(path.rfind('/') + 1), {}};
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) source.lines.push_back(std::move(line));
    return source;
}

std::string mark_of(const Finding& finding, const Place& place) {
    const bool is_access = place.role >= PlaceRole::read && place.role <= PlaceRole::atomic_update;
    if (is_access && place.thread) return fmt::format("{} by thread {}", name_of(place.role), to_text(*place.thread));
    if (place.role == PlaceRole::at) return std::string(name_of(finding.kind));
    return std::string(name_of(place.role));
}

std::vector<std::string> excerpt_of(const Finding& finding, const SourceText& source, std::size_t width) {
    std::vector<Mark> marks;
    for (const Place& place : finding.places) {
        const SourceLine& at = place.source;
        if (at.file != source.file) continue;
        if (at.first_line == 0) marks.push_back({at.line, at.column, mark_of(finding, place)});
        // Marks only candidate lines with a subscript.
        for (std::uint32_t line = at.first_line; line != 0 && line <= std::min<std::size_t>(at.line, source.lines.size()); ++line) {
            const auto column = static_cast<std::uint32_t>(source.lines[line - 1].find('[') + 1);
            if (column != 0) marks.push_back({line, column, mark_of(finding, place)});
        }
    }
    return excerpt(std::move(marks), source, width);
}

std::vector<std::string> excerpt_of(const SourceLine& place, const SourceText& source, std::size_t width) {
    if (place.file != source.file) return {};
    return excerpt({{place.line, place.column, ""}}, source, width);
}

}  // namespace lab
