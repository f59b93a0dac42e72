// Cuts PTX text into tokens, on demand. Source: PTX ISA 4.1 to 4.5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

enum class TokenKind : std::uint8_t {
    end,
    word,       // an identifier or an opcode: "%tid.x", "ld.global.v4.f32", "$L__BB0_1"
    directive,  // ".reg": one segment, with its dot
    number,     // as written: "0x10", "42U", "0f3F800000"
    string,     // text between the quotes, escapes left alone
    punctuation,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::uint32_t line = 1;
};

// Throws Error with the line in front: "PTX line 12: ...".
[[noreturn]] void fail_at(std::uint32_t line, const std::string& message);
// Input text made printable: quoted, truncated, without control characters.
[[nodiscard]] std::string in_quotes(std::string_view text);

// The tokens of one text with a lookahead of one. The text must outlive the stream and every token taken from it.
class TokenStream {
public:
    explicit TokenStream(std::string_view text);

    [[nodiscard]] const Token& peek() const { return current_; }
    Token take();

    [[nodiscard]] bool at_end() const { return current_.kind == TokenKind::end; }
    [[nodiscard]] bool at(char punctuation) const {
        return current_.kind == TokenKind::punctuation && current_.text.front() == punctuation;
    }
    [[nodiscard]] bool at(TokenKind kind) const { return current_.kind == kind; }
    [[nodiscard]] bool at_directive(std::string_view name) const { return current_.kind == TokenKind::directive && current_.text == name; }
    [[nodiscard]] bool at_word(std::string_view name) const { return current_.kind == TokenKind::word && current_.text == name; }
    bool accept(char punctuation);
    bool accept_directive(std::string_view name);
    bool accept_word(std::string_view name);

    // These throw if the token is another one, with the expected and the actual token.
    void expect(char punctuation, std::string_view where);
    Token expect_kind(TokenKind kind, std::string_view what);
    // A non-negative whole number, at most `most`.
    std::uint64_t expect_integer(std::string_view what, std::uint64_t most);

    [[noreturn]] void fail(const std::string& message) const { fail_at(current_.line, message); }
    [[noreturn]] void fail_expected(std::string_view what) const;

private:
    void advance();
    void skip_blanks();
    void lex_word();
    void lex_number();
    void lex_string();

    std::string_view text_;
    std::size_t position_ = 0;
    std::uint32_t line_ = 1;
    Token current_;
};

struct Literal {
    Operand::Kind kind = Operand::Kind::integer;  // integer, real32 or real64
    std::uint64_t bits = 0;
};

// Throws Error if the token isn't a number that fits 64 bits.
[[nodiscard]] Literal parse_literal(const Token& token);
// The negated value.
[[nodiscard]] Literal negate(const Literal& literal);

}  // namespace lab::ptx
