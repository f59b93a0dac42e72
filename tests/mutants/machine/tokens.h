// Just enough of C++ to change a student's code on purpose: its tokens, with comments left out and whole texts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lab::mutants {

enum class Kind { name, number, text, symbol };

struct Token {
    Kind kind = Kind::symbol;
    std::string text;
    std::size_t at = 0;  // its first byte in the file
    bool alone = false;  // blanks on both sides: clang-format's form of a comparison, unlike a template's bracket
    [[nodiscard]] std::size_t end() const { return at + text.size(); }
    [[nodiscard]] bool is(const char* what) const { return text == what; }
};

using Tokens = std::vector<Token>;

// The tokens of bytes [begin, end) of a file. Lines that start with # are left out.
[[nodiscard]] Tokens tokens_of(const std::string& file, std::size_t begin, std::size_t end);

// The tokens of each region between `// >>> your code` and `// <<< your code`.
[[nodiscard]] std::vector<Tokens> regions_of(const std::string& file);

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

// The bracket that matches the one at `at`, forwards from an opening, backwards from a closing one; nowhere if none does.
[[nodiscard]] std::size_t partner(const Tokens& tokens, std::size_t at);

// A run of tokens [first, last].
struct Span {
    std::size_t first = nowhere;
    std::size_t last = nowhere;
    [[nodiscard]] bool empty() const { return first == nowhere; }
};

// The operand that starts or ends at a token: a name with its members, arguments and indices, a number, or a parenthesis.
[[nodiscard]] Span operand_from(const Tokens& tokens, std::size_t first);
[[nodiscard]] Span operand_up_to(const Tokens& tokens, std::size_t last);

// Tokens between an opening bracket and its partner, split at each `separator` outside of nested brackets.
[[nodiscard]] std::vector<Span> parts_between(const Tokens& tokens, std::size_t open, const char* separator);

}  // namespace lab::mutants
