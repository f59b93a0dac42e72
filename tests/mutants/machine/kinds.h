// Kinds of mistakes, each a rule that finds its places among a region's tokens.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/mutants/machine/tokens.h"

namespace lab::mutants {

// Bytes [at, at + length) of the file become `text`.
struct Edit {
    std::size_t at = 0;
    std::size_t length = 0;
    std::string text;
};

// All edits of one mutant; they don't overlap.
using Change = std::vector<Edit>;

struct Rule {
    std::string kind;  // "barrier dropped"
    std::function<std::vector<Change>(const std::string& file, const Tokens& region)> find;
};

// The classic ones first: if two rules give the same text, the first one's name is used.
[[nodiscard]] const std::vector<Rule>& all_rules();

// Rules by what they change.
[[nodiscard]] std::vector<Rule> rules_of_indices();
[[nodiscard]] std::vector<Rule> rules_of_guards();
[[nodiscard]] std::vector<Rule> rules_of_arithmetic();
[[nodiscard]] std::vector<Rule> rules_of_statements();

// Helpers of the rules.
[[nodiscard]] Edit replaced(const Tokens& tokens, const Span& span, std::string text);
[[nodiscard]] inline Edit dropped(const Tokens& tokens, const Span& span) { return replaced(tokens, span, ""); }
[[nodiscard]] std::string text_of(const std::string& file, const Tokens& tokens, const Span& span);
// Exchanges two spans; no change at all if both have the same text.
[[nodiscard]] Change exchanged(const std::string& file, const Tokens& tokens, const Span& a, const Span& b);

}  // namespace lab::mutants
