#include "common/tools/cuda_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <sstream>

#include "common/tools/lines.h"

namespace lab::tools {
namespace {

enum class Literals : bool { kept, blanked };

void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (text[i] != '\n') text[i] = ' ';
    }
}

// Replaces a comment (or a literal, if requested) that begins at `at` by blanks. Returns its end.
std::size_t skip_literal(std::string& text, std::size_t at, Literals literals) {
    const char quote = text[at];
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != quote && text[end] != '\n') {
        end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
    }
    end = std::min(end + 1, text.size());
    if (literals == Literals::blanked) blank(text, at + 1, end - 1);
    return end;
}

std::size_t blank_comment(std::string& text, std::size_t at) {
    const bool is_line = text[at + 1] == '/';
    const std::size_t found = is_line ? text.find('\n', at) : text.find("*/", at + 2);
    const std::size_t end = found == std::string::npos ? text.size() : found + (is_line ? 0 : 2);
    blank(text, at, end);
    return end;
}

std::string blanked(std::string text, Literals literals) {
    for (std::size_t at = 0; at < text.size();) {
        const bool is_comment = text[at] == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*');
        // A quote between digits is a separator: 1'000'000.
        const bool is_separator = text[at] == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
        if (is_comment) {
            at = blank_comment(text, at);
        } else if ((text[at] == '"' || text[at] == '\'') && !is_separator) {
            at = skip_literal(text, at, literals);
        } else {
            ++at;
        }
    }
    return text;
}

// Braces in directives are ignored.
void blank_directives(std::string& text) {
    bool goes_on = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = text.find_first_not_of(" \t", begin);
        if (goes_on || (first < end && text[first] == '#')) {
            goes_on = end > begin && text[end - 1] == '\\';
            blank(text, begin, end);
        }
        begin = end + 1;
    }
}

std::string collapsed(const std::string& text) {
    std::istringstream words(text);
    std::string all;
    for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
    return all;
}

std::size_t end_of_block(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (depth == 0) return at;
    }
    return text.size();
}

// "f" of "__global__ void __launch_bounds__(256) f(int n)"; "" if the head of a block is no function's.
std::string function_name(const std::string& head) {
    static const std::regex call(R"((operator\s*\(\s*\)|operator\s*[^\s\w(]+|[A-Za-z_]\w*)\s*\()");
    constexpr std::array<const char*, 6> not_names{"__launch_bounds__", "__attribute__", "__align__", "alignas", "decltype", "noexcept"};
    for (std::sregex_iterator found(head.begin(), head.end(), call), end; found != end; ++found) {
        std::string name = (*found)[1];
        if (std::find(not_names.begin(), not_names.end(), name) == not_names.end()) return name;
    }
    return {};
}

bool has_word(const std::string& text, const std::string& word) { return std::regex_search(text, std::regex("\\b" + word + "\\b")); }

}  // namespace

std::string without_comments(const std::string& source) { return blanked(source, Literals::kept); }

std::vector<std::string> code_lines(const std::string& source) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(without_comments(source))) lines.push_back(collapsed(line));
    return lines;
}

std::vector<Definition> definitions_in(const std::string& source) {
    static const std::regex parameters(R"(^\s*template\s*<[^{;]*?>\s*(?=[\w:]))");
    static const std::regex scope(R"(^\s*((inline\s+)?namespace\b|extern\s+"))");
    static const std::regex record(R"(^\s*(?:struct|class|union)\s+(?:(?:alignas|__align__)\s*\([^)]*\)\s*)?(\w+))");
    std::string text = blanked(source, Literals::blanked);
    blank_directives(text);
    const auto line_of = [&](std::size_t at) {
        return static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    std::vector<Definition> found;
    std::size_t start = 0;  // of the declaration that `at` is in
    int parentheses = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        parentheses += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (parentheses > 0) continue;
        if (c == ';' || c == '}') start = at + 1;
        if (c != '{') continue;
        const std::string head = text.substr(start, at - start);
        const std::string plain = std::regex_replace(head, parameters, "", std::regex_constants::format_first_only);
        const bool calls = plain.find('(') != std::string::npos;
        std::smatch words;
        std::string name;
        bool enters = std::regex_search(plain, scope);
        if (!enters && std::regex_search(plain, words, record) && function_name(plain).empty()) {
            name = words[1];
            enters = true;
        } else if (!enters && calls) {
            name = function_name(plain);
        }
        const std::size_t end = end_of_block(text, at);
        if (!name.empty()) {
            const bool on_device = has_word(head, "__global__") || (has_word(head, "__device__") && !has_word(head, "__host__"));
            found.push_back(
                {name, line_of(std::min(text.find_first_not_of(" \t\n", start), at)), line_of(end), at, end, on_device && !enters});
        }
        if (!enters) at = end;  // inner blocks are skipped
        start = at + 1;
    }
    return found;
}

bool same_host_code(const std::string& one, const std::string& other) {
    const auto host_code = [](const std::string& source) {
        std::string text = without_comments(source);
        const auto all = definitions_in(source);
        for (auto definition = all.rbegin(); definition != all.rend(); ++definition) {
            if (definition->is_device_code) text.erase(definition->body_begin, definition->body_end - definition->body_begin);
        }
        std::string lines;  // by line, since a directive ends with its line
        for (const std::string& line : code_lines(text)) lines += line.empty() ? "" : line + "\n";
        return lines;
    };
    return host_code(one) == host_code(other);
}

}  // namespace lab::tools
