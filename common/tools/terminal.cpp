#include "common/tools/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace lab::tools {
namespace {

constexpr std::size_t least_width = 40;

std::string_view set_to(const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

bool wants_colour(bool is_terminal) {
    const std::string_view asked = set_to("LAB_COLOR");
    if (asked == "always" || asked == "never") return asked == "always";
    return is_terminal && set_to("NO_COLOR").empty() && set_to("TERM") != "dumb" && !set_to("TERM").empty();
}

const char* code_of(Colour colour) {
    switch (colour) {
        case Colour::bold:
            return "1";
        case Colour::red:
            return "1;31";
        case Colour::green:
            return "32";
        case Colour::yellow:
            return "33";
        case Colour::cyan:
            return "36";
    }
    return "0";
}

// The column below which a line goes on: that of the text behind its last gap of two spaces or more, if that leaves half of the line.
std::size_t hanging_indent(const std::string& line, std::size_t width) {
    const std::size_t first = std::min(line.size(), line.find_first_not_of(' '));
    std::size_t indent = first + 2;
    for (std::size_t gap = line.find("  ", first); gap != std::string::npos; gap = line.find("  ", gap)) {
        gap = std::min(line.size(), line.find_first_not_of(' ', gap));
        const std::size_t column = shown_length(line.substr(0, gap));
        if (column > width / 2) break;
        indent = column;
    }
    return std::min(indent, width / 2);
}

std::string folded_line(const std::string& line, std::size_t width) {
    const std::size_t indent = hanging_indent(line, width);
    const std::size_t first = line.find_first_not_of(' ');
    std::string text;
    std::string row = line.substr(0, first);
    std::size_t at = first;
    while (at < line.size()) {
        std::size_t end = std::min(line.size(), line.find(' ', at));
        const std::size_t next = std::min(line.size(), line.find_first_not_of(' ', end));
        const std::string word = line.substr(at, end - at);
        const bool is_empty = row.find_first_not_of(' ') == std::string::npos;
        if (!is_empty && shown_length(row) + shown_length(word) > width) {
            text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
            row = std::string(indent, ' ');
        }
        row += word + line.substr(end, next - end);
        at = next;
    }
    return text + row.substr(0, row.find_last_not_of(' ') + 1);
}

}  // namespace

std::string Terminal::paint(Colour colour, const std::string& text) const {
    return has_colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code_of(colour), text) : text;
}

Terminal terminal_of(std::FILE* stream) {
    Terminal terminal;
    const int number = fileno(stream);
    const bool is_terminal = isatty(number) == 1;
    winsize size{};
    if (is_terminal && ioctl(number, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.width = std::max<std::size_t>(size.ws_col, least_width);
    terminal.has_colour = wants_colour(is_terminal);
    return terminal;
}

std::size_t shown_length(const std::string& text) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            i = std::min(text.size() - 1, text.find('m', i));
        } else {
            length += (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U ? 0 : 1;
        }
    }
    return length;
}

std::string folded(const std::string& text, std::size_t width) {
    std::string result;
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.size(), text.find('\n', start));
        const std::string line = text.substr(start, end - start);
        result += shown_length(line) <= width ? line : folded_line(line, width);
        if (end < text.size()) result += '\n';
        start = end + 1;
    }
    return result;
}

void print_folded(const std::string& text) { fmt::print("{}", folded(text, terminal_of(stdout).width)); }

}  // namespace lab::tools
