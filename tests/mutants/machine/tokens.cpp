#include "tests/mutants/machine/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace lab::mutants {
namespace {

// Longest first. `<<<` and `>>>` are launches here; nested shifts don't occur.
constexpr std::array<std::string_view, 25> symbols{"<<<", ">>>", "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                                   "+=",  "-=",  "*=",  "/=",  "%=",  "|=", "&=", "^=", "++", "--", "::", "->"};

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool opens(const Token& token) { return token.kind == Kind::symbol && (token.is("(") || token.is("[") || token.is("{")); }
bool closes(const Token& token) { return token.kind == Kind::symbol && (token.is(")") || token.is("]") || token.is("}")); }

// One past the last byte of the token at `at`.
std::size_t end_of_token(const std::string& file, std::size_t at, Kind* kind) {
    const char first = file[at];
    std::size_t end = at + 1;
    if (first == '"' || first == '\'') {
        *kind = Kind::text;
        while (end < file.size() && file[end] != first) end += file[end] == '\\' ? 2 : 1;
        return std::min(file.size(), end + 1);
    }
    if (is_digit(first) || (first == '.' && end < file.size() && is_digit(file[end]))) {
        *kind = Kind::number;
        const auto goes_on = [&] {
            const bool exponent = (file[end] == '+' || file[end] == '-') && (file[end - 1] == 'e' || file[end - 1] == 'E');
            return in_name(file[end]) || file[end] == '.' || file[end] == '\'' || exponent;
        };
        while (end < file.size() && goes_on()) ++end;
        return end;
    }
    if (in_name(first)) {
        *kind = Kind::name;
        while (end < file.size() && in_name(file[end])) ++end;
        return end;
    }
    *kind = Kind::symbol;
    for (const std::string_view symbol : symbols) {
        if (file.compare(at, symbol.size(), symbol) == 0) return at + symbol.size();
    }
    return end;
}

std::size_t end_of_line(const std::string& file, std::size_t at) { return std::min(file.size(), file.find('\n', at)); }

// One past a comment that starts at `at`; `at` itself if there is none.
std::size_t end_of_comment(const std::string& file, std::size_t at) {
    if (file.compare(at, 2, "//") == 0) return end_of_line(file, at);
    if (file.compare(at, 2, "/*") != 0) return at;
    const std::size_t end = file.find("*/", at + 2);
    return end == std::string::npos ? file.size() : end + 2;
}

}  // namespace

Tokens tokens_of(const std::string& file, std::size_t begin, std::size_t end) {
    Tokens tokens;
    bool line_starts = true;
    for (std::size_t at = begin; at < end;) {
        if (is_blank(file[at])) {
            line_starts = line_starts || file[at] == '\n';
            ++at;
        } else if (const std::size_t past = end_of_comment(file, at); past != at) {
            at = past;
        } else if (file[at] == '#' && line_starts) {
            at = end_of_line(file, at);
        } else {
            Token token;
            const std::size_t past_token = end_of_token(file, at, &token.kind);
            token.text = file.substr(at, past_token - at);
            token.at = at;
            token.alone = at > 0 && is_blank(file[at - 1]) && past_token < file.size() && is_blank(file[past_token]);
            tokens.push_back(std::move(token));
            at = past_token;
            line_starts = false;
        }
    }
    return tokens;
}

std::vector<Tokens> regions_of(const std::string& file) {
    const std::string opening = "// >>> your code\n";
    std::vector<Tokens> regions;
    for (std::size_t at = file.find(opening); at != std::string::npos; at = file.find(opening, at)) {
        at += opening.size();
        regions.push_back(tokens_of(file, at, std::min(file.size(), file.find("// <<< your code", at))));
    }
    return regions;
}

std::size_t partner(const Tokens& tokens, std::size_t at) {
    int depth = 0;
    const bool forwards = opens(tokens[at]);
    for (std::size_t i = at; i < tokens.size(); i += forwards ? 1 : nowhere) {  // nowhere is -1: it wraps around below 0
        depth += opens(tokens[i]) ? 1 : 0;
        depth -= closes(tokens[i]) ? 1 : 0;
        if (depth == 0) return i;
    }
    return nowhere;
}

Span operand_from(const Tokens& tokens, std::size_t first) {
    if (first >= tokens.size()) return {};
    std::size_t last = first;
    if (tokens[first].is("(")) {
        last = partner(tokens, first);
        if (last == nowhere) return {};
    } else if (tokens[first].kind == Kind::symbol) {
        return {};
    }
    while (last + 1 < tokens.size()) {
        const Token& next = tokens[last + 1];
        if (next.is(".") || next.is("->") || next.is("::")) {
            last += 2;
        } else if (next.is("(") || next.is("[")) {
            last = partner(tokens, last + 1);
            if (last == nowhere) return {};
        } else {
            break;
        }
    }
    return last < tokens.size() ? Span{first, last} : Span{};
}

Span operand_up_to(const Tokens& tokens, std::size_t last) {
    if (last >= tokens.size()) return {};
    std::size_t first = last;
    while (tokens[first].is(")") || tokens[first].is("]")) {
        first = partner(tokens, first);
        if (first == nowhere) return {};
        const bool called = first > 0 && (tokens[first - 1].kind == Kind::name || tokens[first - 1].is(")") || tokens[first - 1].is("]"));
        if (!called) break;
        --first;
    }
    if (tokens[first].kind == Kind::symbol && !tokens[first].is("(")) return {};
    while (first >= 2 && (tokens[first - 1].is(".") || tokens[first - 1].is("->") || tokens[first - 1].is("::"))) first -= 2;
    return {first, last};
}

std::vector<Span> parts_between(const Tokens& tokens, std::size_t open, const char* separator) {
    const std::size_t close = partner(tokens, open);
    if (close == nowhere || close == open + 1) return {};
    std::vector<Span> parts{{open + 1, close - 1}};
    for (std::size_t i = open + 1; i < close; ++i) {
        if (opens(tokens[i])) {
            i = partner(tokens, i);
        } else if (tokens[i].is(separator)) {
            parts.back().last = i - 1;
            parts.push_back({i + 1, close - 1});
        }
    }
    for (const Span& part : parts) {
        if (part.first > part.last) return {};
    }
    return parts;
}

}  // namespace lab::mutants
