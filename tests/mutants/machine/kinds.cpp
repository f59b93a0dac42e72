#include "tests/mutants/machine/kinds.h"

#include <iterator>

namespace lab::mutants {

Edit replaced(const Tokens& tokens, const Span& span, std::string text) {
    const std::size_t at = tokens[span.first].at;
    return {at, tokens[span.last].end() - at, std::move(text)};
}

std::string text_of(const std::string& file, const Tokens& tokens, const Span& span) {
    const std::size_t at = tokens[span.first].at;
    return file.substr(at, tokens[span.last].end() - at);
}

Change exchanged(const std::string& file, const Tokens& tokens, const Span& a, const Span& b) {
    const std::string first = text_of(file, tokens, a);
    const std::string second = text_of(file, tokens, b);
    if (first == second) return {};
    return {replaced(tokens, a, second), replaced(tokens, b, first)};
}

const std::vector<Rule>& all_rules() {
    static const std::vector<Rule> rules = [] {
        std::vector<Rule> all;
        for (std::vector<Rule> some : {rules_of_guards(), rules_of_indices(), rules_of_arithmetic(), rules_of_statements()}) {
            std::move(some.begin(), some.end(), std::back_inserter(all));
        }
        return all;
    }();
    return rules;
}

}  // namespace lab::mutants
