// Barriers, comparisons and guards.
#include <map>

#include "tests/mutants/machine/kinds.h"

namespace lab::mutants {
namespace {

std::vector<Change> barriers(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const bool barrier = tokens[i].text.rfind("__sync", 0) == 0;  // __syncthreads, __syncwarp, __syncthreads_or, ...
        if (barrier && tokens[i + 1].is("(")) changes.push_back({dropped(tokens, {i, partner(tokens, i + 1)})});
    }
    return changes;
}

std::vector<Change> comparisons(const std::string& /*file*/, const Tokens& tokens) {
    static const std::map<std::string, std::string> off_by_one{{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto other = off_by_one.find(tokens[i].text);
        if (other != off_by_one.end() && tokens[i].alone) changes.push_back({replaced(tokens, {i, i}, other->second)});
    }
    return changes;
}

// Whether the statement at `at` leaves the function or the iteration of its loop.
bool leaves(const Tokens& tokens, std::size_t at) {
    if (at < tokens.size() && tokens[at].is("{")) ++at;
    return at < tokens.size() && (tokens[at].is("return") || tokens[at].is("continue") || tokens[at].is("break"));
}

bool has_call(const Tokens& tokens, const Span& span) {
    for (std::size_t i = span.first; i < span.last; ++i) {
        if (tokens[i].kind == Kind::name && tokens[i + 1].is("(")) return true;
    }
    return false;
}

// Removes a guard: its body always executes, an early return never does. Calls in the condition stay.
Edit without_guard(const std::string& file, const Tokens& tokens, const Span& condition, bool early_return) {
    const std::string constant = early_return ? "false" : "true";
    if (!has_call(tokens, condition)) return replaced(tokens, condition, constant);
    return replaced(tokens, condition, "(" + text_of(file, tokens, condition) + (early_return ? ") && false" : ") || true"));
}

std::vector<Change> guards(const std::string& file, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].is("if") && tokens[i + 1].is("(")) {
            const std::size_t close = partner(tokens, i + 1);
            if (close == nowhere || close == i + 2) continue;
            changes.push_back({without_guard(file, tokens, {i + 2, close - 1}, leaves(tokens, close + 1))});
        }
        if (tokens[i].is("?")) {
            std::size_t first = i;  // back to where the condition starts
            while (first > 0) {
                const Token& before = tokens[first - 1];
                if (before.is(")") || before.is("]")) {
                    const std::size_t open = partner(tokens, first - 1);
                    if (open == nowhere) break;
                    first = open;
                } else if (before.is("=") || before.is("(") || before.is("[") || before.is(",") || before.is("return") || before.is("+=") ||
                           before.is(";") || before.is("{")) {
                    break;
                } else {
                    --first;
                }
            }
            if (first < i) changes.push_back({without_guard(file, tokens, {first, i - 1}, false)});
        }
    }
    return changes;
}

// Each part of `a && b` and of `a || b` dropped, in a condition of if, for or while.
std::vector<Change> parts_of_guards(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("(")) continue;
        for (const char* joint : {"&&", "||"}) {
            const std::vector<Span> parts = parts_between(tokens, i, joint);
            for (std::size_t part = 0; parts.size() > 1 && part < parts.size(); ++part) {
                const bool last = part + 1 == parts.size();
                changes.push_back({dropped(
                    tokens, last ? Span{parts[part].first - 1, parts[part].last} : Span{parts[part].first, parts[part].last + 1})});
            }
        }
    }
    return changes;
}

std::vector<Change> joints(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("&&") && tokens[i].alone) changes.push_back({replaced(tokens, {i, i}, "||")});
        if (tokens[i].is("||") && tokens[i].alone) changes.push_back({replaced(tokens, {i, i}, "&&")});
    }
    return changes;
}

}  // namespace

std::vector<Rule> rules_of_guards() {
    return {{"barrier dropped", barriers},
            {"comparison off by one", comparisons},
            {"guard dropped", guards},
            {"part of a guard dropped", parts_of_guards},
            {"and made or", joints}};
}

}  // namespace lab::mutants
