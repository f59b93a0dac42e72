#include "tests/tools/functions.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace lab::tools {
namespace {

// End of the comment, string, character or directive that begins at `at`; `at` itself for code.
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

// Kind of scope that a brace behind `head` opens. `head`: the text since the last brace or semicolon.
Scope scope_of(const std::string& head) {
    static const std::regex names(R"(\b(namespace|class|struct|union|enum|extern)\b)");
    static const std::regex function(R"(\)\s*(const|noexcept|override|final|&)*(\s*(->|:)[^;]*)?\s*$)");
    static const std::regex initialiser(R"(^[^()]*[^=!<>]=[^=])");
    if (std::regex_search(head, function) && !std::regex_search(head, initialiser)) return Scope::function;
    return std::regex_search(head, names) ? Scope::names : Scope::other;
}

}  // namespace

std::vector<FoundFunction> functions_in(const std::string& source) {
    const std::string code = code_of(source);
    struct Open {
        Scope scope;
        std::size_t begin, line;  // start and line of the brace's head
        bool is_initialiser;      // b{1}
    };
    std::vector<FoundFunction> found;
    std::vector<Open> open;
    std::size_t since = 0;  // the last brace or semicolon, and its line
    std::size_t since_line = 1;
    std::size_t line = 1;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at] == '\n') ++line;
        const bool is_initialiser =
            code[at] == '{' && at > 0 &&
            (std::isalnum(static_cast<unsigned char>(code[at - 1])) != 0 || code[at - 1] == '_' || code[at - 1] == '>');
        bool ends_what_precedes = code[at] == ';' || (code[at] == '{' && !is_initialiser);
        if (is_initialiser) {
            open.push_back({Scope::other, at, line, true});
        } else if (code[at] == '{') {
            const bool is_inside = std::any_of(open.begin(), open.end(), [](const Open& each) { return each.scope != Scope::names; });
            const std::size_t begin = std::min(code.find_first_not_of(" \n", since), at);
            const auto blank_lines =
                std::count(code.begin() + static_cast<std::ptrdiff_t>(since), code.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
            open.push_back({is_inside ? Scope::other : scope_of(code.substr(begin, at - begin)), begin,
                            since_line + static_cast<std::size_t>(blank_lines), false});
        } else if (code[at] == '}' && !open.empty()) {
            const Open closed = open.back();
            open.pop_back();
            ends_what_precedes = !closed.is_initialiser;
            if (closed.scope == Scope::function)
                found.push_back(
                    {closed.line, line - closed.line + 1, source.substr(closed.begin, source.find('\n', closed.begin) - closed.begin)});
        }
        if (ends_what_precedes) {
            since = at + 1;
            since_line = line;
        }
    }
    return found;
}

}  // namespace lab::tools
