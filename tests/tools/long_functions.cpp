#include "tests/tools/long_functions.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace lab::tools {
namespace {

// Where what begins at `at` and is no code ends: a comment, a string, a character, a directive; `at` itself for code.
std::size_t end_of_no_code(const std::string& text, std::size_t at, bool begins_line) {
    const auto behind = [&](const std::string& mark, std::size_t from) {
        const std::size_t found = text.find(mark, from);
        return found == std::string::npos ? text.size() : found + mark.size();
    };
    if (text.compare(at, 2, "//") == 0) return behind("\n", at) - 1;
    if (text.compare(at, 2, "/*") == 0) return behind("*/", at);
    if (text.compare(at, 2, "R\"") == 0) {
        const std::size_t open = text.find('(', at);
        return behind(")" + text.substr(at + 2, open - at - 2) + "\"", open);
    }
    const bool is_separator = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;  // 1'000
    if (text[at] == '"' || (text[at] == '\'' && !is_separator)) {
        std::size_t end = at + 1;
        while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text.size());
    }
    if (text[at] == '#' && begins_line) {
        std::size_t end = behind("\n", at);
        while (end > 1 && end < text.size() && text[end - 2] == '\\') end = behind("\n", end);
        return end - 1;
    }
    return at;
}

std::string code_of(const std::string& text) {
    std::string code = text;
    bool begins_line = true;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t end = end_of_no_code(text, at, begins_line);
        for (std::size_t i = at; i < end; ++i) code[i] = text[i] == '\n' ? '\n' : ' ';
        if (end > at) at = end - 1;
        begins_line = text[at] == '\n' || (begins_line && (text[at] == ' ' || end > at));
    }
    return code;
}

enum class Scope { function, names, other };

// What a brace behind `head` opens: the text since the last brace or semicolon.
Scope scope_of(const std::string& head) {
    static const std::regex names(R"(\b(namespace|class|struct|union|enum|extern)\b)");
    static const std::regex function(R"(\)\s*(const|noexcept|override|final|&)*(\s*(->|:)[^;]*)?\s*$)");
    static const std::regex initialiser(R"(^[^()]*[^=!<>]=[^=])");
    if (std::regex_search(head, function) && !std::regex_search(head, initialiser)) return Scope::function;
    return std::regex_search(head, names) ? Scope::names : Scope::other;
}

}  // namespace

std::vector<std::string> long_functions(const std::string& source, int limit) {
    const std::string code = code_of(source);
    const auto lines_before = [&](std::size_t at) {
        return std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    };
    std::vector<std::string> found;
    std::vector<std::pair<Scope, std::size_t>> open;  // and where what it belongs to begins
    std::size_t since = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at] == '{') {
            const bool is_inside = std::any_of(open.begin(), open.end(), [](const auto& each) { return each.first != Scope::names; });
            const std::size_t begin = std::min(code.find_first_not_of(" \n", since), at);
            open.emplace_back(is_inside ? Scope::other : scope_of(code.substr(begin, at - begin)), begin);
        } else if (code[at] == '}' && !open.empty()) {
            const auto [scope, begin] = open.back();
            open.pop_back();
            if (scope == Scope::function && lines_before(at) - lines_before(begin) + 1 > limit)
                found.push_back(std::to_string(lines_before(begin) + 1) + ": " + source.substr(begin, source.find('\n', begin) - begin));
        }
        if (code[at] == '{' || code[at] == '}' || code[at] == ';') since = at + 1;
    }
    return found;
}

}  // namespace lab::tools
