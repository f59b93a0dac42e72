// Tokens of C++ source text, with their places.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab::repair {

enum class TokenKind { name, number, text, symbol };

struct Token {
    TokenKind kind = TokenKind::symbol;
    std::string_view text;  // within the source
    std::size_t begin = 0;  // its first byte there
    [[nodiscard]] std::size_t end() const { return begin + text.size(); }
    [[nodiscard]] bool is(std::string_view what) const { return text == what; }
};

// Tokens of a source text, which has to outlive them. Blanks, comments and lines that start with # are left out.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view source);

// Number of the source line that holds a byte; the first is 1.
[[nodiscard]] unsigned line_of(std::string_view source, std::size_t byte);

}  // namespace lab::repair
