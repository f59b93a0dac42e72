#include "common/emulator/ptx/lexer.h"

#include <array>
#include <bit>
#include <charconv>

namespace lab::ptx {
namespace {

std::uint64_t parse_digits(const Token& token, std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (error == std::errc::result_out_of_range) fail_at(token.line, "the number " + in_quotes(token.text) + " does not fit 64 bits");
    if (error != std::errc{} || stop != end) fail_at(token.line, in_quotes(token.text) + " is not a number");
    return value;
}

Literal parse_hexadecimal_real(const Token& token, std::size_t digits, Operand::Kind kind) {
    if (token.text.size() != 2 + digits) {
        fail_at(token.line,
                in_quotes(token.text) + " must have exactly " + std::to_string(digits) + " hexadecimal digits after its prefix");
    }
    return {kind, parse_digits(token, token.text.substr(2), 16)};
}

Literal parse_decimal_real(const Token& token) {
    double value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error != std::errc{} || stop != end) fail_at(token.line, in_quotes(token.text) + " is not a number");
    return {Operand::Kind::real64, std::bit_cast<std::uint64_t>(value)};
}

}  // namespace

Literal parse_literal(const Token& token) {
    std::string_view text = token.text;
    const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
    if (second == 'f' || second == 'F') return parse_hexadecimal_real(token, 8, Operand::Kind::real32);
    if (second == 'd' || second == 'D') return parse_hexadecimal_real(token, 16, Operand::Kind::real64);
    if (second == 'x' || second == 'X') {
        if (text.back() == 'U') text.remove_suffix(1);
        return {Operand::Kind::integer, parse_digits(token, text.substr(2), 16)};
    }
    if (text.find_first_of(".eE") != std::string_view::npos) return parse_decimal_real(token);
    if (text.size() > 1 && text.back() == 'U') text.remove_suffix(1);
    if (second == 'b' || second == 'B') return {Operand::Kind::integer, parse_digits(token, text.substr(2), 2)};
    const bool octal = text.size() > 1 && text[0] == '0';
    return {Operand::Kind::integer, parse_digits(token, text, octal ? 8 : 10)};
}

Literal negate(const Literal& literal) {
    switch (literal.kind) {
        case Operand::Kind::real32:
            return {literal.kind, literal.bits ^ 0x8000'0000U};
        case Operand::Kind::real64:
            return {literal.kind, literal.bits ^ 0x8000'0000'0000'0000U};
        default:
            return {literal.kind, 0 - literal.bits};
    }
}

namespace {

enum : std::uint8_t { starts_word = 1, continues_word = 2, digit = 4, blank = 8 };

// Bytes from 0x80 on belong to names: mangled names carry an identifier's UTF-8 as it is.
constexpr std::array<std::uint8_t, 256> classify() {
    std::array<std::uint8_t, 256> table{};
    for (int c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
        const bool decimal = c >= '0' && c <= '9';
        std::uint8_t bits = 0;
        if (letter || c == '%') bits |= starts_word;
        if (letter || decimal) bits |= continues_word;
        if (decimal) bits |= digit;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') bits |= blank;
        table[static_cast<std::size_t>(c)] = bits;
    }
    return table;
}
constexpr auto classes = classify();

bool is(char c, std::uint8_t bits) { return (classes[static_cast<unsigned char>(c)] & bits) != 0; }

constexpr std::string_view punctuation_marks = "{}()[]<>,;:=@!|+-~*/&^?";

}  // namespace

void fail_at(std::uint32_t line, const std::string& message) { throw Error("PTX line " + std::to_string(line) + ": " + message); }

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string result = "'";
    for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
    return result + (text.size() > longest ? "...'" : "'");
}

TokenStream::TokenStream(std::string_view text) : text_(text) {
    // A text embedded in a host object ends in NULs.
    while (!text_.empty() && text_.back() == '\0') text_.remove_suffix(1);
    advance();
}

Token TokenStream::take() {
    const Token token = current_;
    advance();
    return token;
}

bool TokenStream::accept(char punctuation) {
    if (!at(punctuation)) return false;
    advance();
    return true;
}

bool TokenStream::accept_directive(std::string_view name) {
    if (!at_directive(name)) return false;
    advance();
    return true;
}

bool TokenStream::accept_word(std::string_view name) {
    if (!at_word(name)) return false;
    advance();
    return true;
}

void TokenStream::expect(char punctuation, std::string_view where) {
    if (!accept(punctuation)) fail_expected(std::string("'") + punctuation + "' " + std::string(where));
}

Token TokenStream::expect_kind(TokenKind kind, std::string_view what) {
    if (current_.kind != kind) fail_expected(what);
    return take();
}

std::uint64_t TokenStream::expect_integer(std::string_view what, std::uint64_t most) {
    if (!at(TokenKind::number)) fail_expected(what);
    const Literal literal = parse_literal(current_);
    if (literal.kind != Operand::Kind::integer || literal.bits > most) {
        fail(std::string(what) + " must be a whole number up to " + std::to_string(most) + ", not " + in_quotes(current_.text));
    }
    advance();
    return literal.bits;
}

void TokenStream::fail_expected(std::string_view what) const {
    fail("expected " + std::string(what) + (at_end() ? ", but the text ends here" : ", not " + in_quotes(current_.text)));
}

void TokenStream::skip_blanks() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (c == '\n') {
            ++line_;
            ++position_;
        } else if (is(c, blank)) {
            ++position_;
        } else if (c == '/' && text_.substr(position_, 2) == "//") {
            position_ = std::min(text_.find('\n', position_), text_.size());
        } else if (c == '/' && text_.substr(position_, 2) == "/*") {
            const std::size_t close = text_.find("*/", position_ + 2);
            if (close == std::string_view::npos) fail_at(line_, "a comment opened with /* is never closed");
            for (; position_ < close + 2; ++position_) line_ += text_[position_] == '\n' ? 1 : 0;
        } else {
            return;
        }
    }
}

void TokenStream::advance() {
    skip_blanks();
    current_ = {TokenKind::end, {}, line_};
    if (position_ >= text_.size()) return;
    const char c = text_[position_];
    if (is(c, starts_word)) {
        lex_word();
    } else if (is(c, digit)) {
        lex_number();
    } else if (c == '"') {
        lex_string();
    } else if (c == '.' && position_ + 1 < text_.size() && is(text_[position_ + 1], continues_word)) {
        std::size_t end = position_ + 1;
        while (end < text_.size() && is(text_[end], continues_word)) ++end;
        current_ = {TokenKind::directive, text_.substr(position_, end - position_), line_};
        position_ = end;
    } else if (punctuation_marks.find(c) != std::string_view::npos) {
        current_ = {TokenKind::punctuation, text_.substr(position_, 1), line_};
        ++position_;
    } else {
        fail_at(line_, "unexpected character " + in_quotes(text_.substr(position_, 1)) + "; this is not PTX");
    }
}

void TokenStream::lex_word() {
    const auto segment_at = [this](std::size_t at) { return at < text_.size() && is(text_[at], continues_word); };
    std::size_t end = position_ + 1;
    while (segment_at(end)) ++end;
    // "ld.global.L1::evict_last.f32" is one word; the ':' after a label is not part of it.
    while (end < text_.size()) {
        if (text_[end] == '.' && segment_at(end + 1)) {
            end += 2;
        } else if (text_.substr(end, 2) == "::" && segment_at(end + 2)) {
            end += 3;
        } else {
            break;
        }
        while (segment_at(end)) ++end;
    }
    current_ = {TokenKind::word, text_.substr(position_, end - position_), line_};
    position_ = end;
}

void TokenStream::lex_number() {
    std::size_t end = position_;
    const std::string_view rest = text_.substr(position_);
    const bool prefixed = rest.size() > 1 && rest[0] == '0' && std::string_view("xXfFdDbB").find(rest[1]) != std::string_view::npos;
    while (end < text_.size()) {
        const char c = text_[end];
        const bool sign_of_exponent = !prefixed && (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
        if (!is(c, continues_word) && c != '.' && !sign_of_exponent) break;
        ++end;
    }
    current_ = {TokenKind::number, text_.substr(position_, end - position_), line_};
    position_ = end;
}

void TokenStream::lex_string() {
    std::size_t end = position_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] != '"') fail_at(line_, "a string is not closed on its line");
    current_ = {TokenKind::string, text_.substr(position_ + 1, end - position_ - 1), line_};
    position_ = end + 1;
}

}  // namespace lab::ptx
