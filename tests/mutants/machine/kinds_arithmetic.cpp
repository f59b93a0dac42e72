// Rounding up, constants, signs and sums.
#include <cctype>
#include <stdexcept>

#include "tests/mutants/machine/kinds.h"

namespace lab::mutants {
namespace {

// `+ TILE - 1`, and `+ 15` before `/ 16`.
std::vector<Change> round_ups(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("+")) continue;
        const Span term = operand_from(tokens, i + 1);
        if (term.empty()) continue;
        if (term.last + 2 < tokens.size() && tokens[term.last + 1].is("-") && tokens[term.last + 2].is("1")) {
            changes.push_back({dropped(tokens, {i, term.last + 2})});
        }
        const bool number = term.first == term.last && tokens[term.first].kind == Kind::number;
        if (number && term.last + 2 < tokens.size() && tokens[term.last + 1].is(")") && tokens[term.last + 2].is("/")) {
            changes.push_back({dropped(tokens, {i, term.last})});
        }
    }
    return changes;
}

// "16u" plus 1 is "17u", "0.5f" is "1.5f", "0x10" is "17"; "" for what is no number to count with.
std::string counted_on(const std::string& number, int step) {
    try {
        const bool hexadecimal = number.size() > 1 && number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
        const bool integer = hexadecimal || number.find_first_of(".eEfF'") == std::string::npos;
        std::size_t used = 0;
        if (integer) {
            const long long value = std::stoll(number, &used, 0);
            return std::to_string(value + step) + number.substr(used);
        }
        const double value = std::stod(number, &used);
        return std::to_string(value + step) + number.substr(used);
    } catch (const std::logic_error&) {
        return "";
    }
}

std::vector<Change> constants(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != Kind::number) continue;
        for (const int step : {1, -1}) {
            const std::string other = counted_on(tokens[i].text, step);
            if (!other.empty()) changes.push_back({replaced(tokens, {i, i}, other)});
        }
    }
    return changes;
}

std::vector<Change> signs(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("+") && tokens[i].alone) changes.push_back({replaced(tokens, {i, i}, "-")});
        if (tokens[i].is("-") && tokens[i].alone) changes.push_back({replaced(tokens, {i, i}, "+")});
    }
    return changes;
}

// size_t(i) * cols made (i) * cols: too narrow for large arrays.
std::vector<Change> casts(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("size_t") || !tokens[i + 1].is("(")) continue;
        const bool qualified = i >= 2 && tokens[i - 1].is("::");
        changes.push_back({dropped(tokens, {qualified ? i - 2 : i, i})});
    }
    return changes;
}

std::vector<Change> sums(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("+=")) changes.push_back({replaced(tokens, {i, i}, "=")});
    }
    return changes;
}

}  // namespace

std::vector<Rule> rules_of_arithmetic() {
    return {{"round-up dropped", round_ups},
            {"constant off by one", constants},
            {"sign changed", signs},
            {"sum not kept", sums},
            {"cast dropped", casts}};
}

}  // namespace lab::mutants
