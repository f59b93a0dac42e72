#include "common/diagnosis/repair/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lab::repair {
namespace {

// Longest first. `>>` is two symbols, since it may end template arguments; the parser joins them to a shift.
constexpr std::array<std::string_view, 24> symbols{"<<<", "<<=", "...", "->*", "<<", "<=", ">=", "==", "!=", "&&", "||", "+=",
                                                   "-=",  "*=",  "/=",  "%=",  "|=", "&=", "^=", "++", "--", "::", "->", "##"};

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t end_of_number(std::string_view source, std::size_t at) {
    std::size_t end = at + 1;
    const auto goes_on = [&] {
        const char before = source[end - 1];
        const bool is_exponent = (source[end] == '+' || source[end] == '-') && (before == 'e' || before == 'E');
        return in_name(source[end]) || source[end] == '.' || source[end] == '\'' || is_exponent;
    };
    while (end < source.size() && goes_on()) ++end;
    return end;
}

// The token that starts at `at`.
Token token_at(std::string_view source, std::size_t at) {
    const char first = source[at];
    const auto up_to = [&](TokenKind kind, std::size_t end) { return Token{kind, source.substr(at, end - at), at}; };
    if (first == '"' || first == '\'') {
        std::size_t end = at + 1;
        while (end < source.size() && source[end] != first) end += source[end] == '\\' ? 2 : 1;
        return up_to(TokenKind::text, std::min(source.size(), end + 1));
    }
    if (is_digit(first) || (first == '.' && at + 1 < source.size() && is_digit(source[at + 1])))
        return up_to(TokenKind::number, end_of_number(source, at));
    if (in_name(first)) {
        const auto end = std::find_if_not(source.begin() + static_cast<std::ptrdiff_t>(at), source.end(), in_name);
        return up_to(TokenKind::name, static_cast<std::size_t>(end - source.begin()));
    }
    for (const std::string_view symbol : symbols) {
        if (source.compare(at, symbol.size(), symbol) == 0) return up_to(TokenKind::symbol, at + symbol.size());
    }
    return up_to(TokenKind::symbol, at + 1);
}

// One past a comment or a preprocessor's line that starts at `at`; `at` itself if there is none.
std::size_t end_of_skipped(std::string_view source, std::size_t at, bool starts_line) {
    const auto end_of_line = [&] {
        std::size_t end = source.find('\n', at);
        while (end != std::string_view::npos && end > at && source[end - 1] == '\\') end = source.find('\n', end + 1);
        return std::min(source.size(), end);
    };
    if (source.compare(at, 2, "//") == 0 || (starts_line && source[at] == '#')) return end_of_line();
    if (source.compare(at, 2, "/*") != 0) return at;
    const std::size_t end = source.find("*/", at + 2);
    return end == std::string_view::npos ? source.size() : end + 2;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
    std::vector<Token> tokens;
    bool starts_line = true;
    for (std::size_t at = 0; at < source.size();) {
        if (is_blank(source[at])) {
            starts_line = starts_line || source[at] == '\n';
            ++at;
        } else if (const std::size_t past = end_of_skipped(source, at, starts_line); past != at) {
            at = past;
        } else {
            tokens.push_back(token_at(source, at));
            at = tokens.back().end();
            starts_line = false;
        }
    }
    return tokens;
}

unsigned line_of(std::string_view source, std::size_t byte) {
    const std::string_view before = source.substr(0, byte);
    return 1U + static_cast<unsigned>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace lab::repair
