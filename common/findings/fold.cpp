#include "common/findings/fold.h"

#include <algorithm>

namespace lab {
namespace {

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

}  // namespace lab
