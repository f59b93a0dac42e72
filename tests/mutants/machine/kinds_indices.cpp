// Indices: pairs exchanged, x for y.
#include <functional>
#include <set>

#include "tests/mutants/machine/kinds.h"

namespace lab::mutants {
namespace {

bool multiplies(const Tokens& tokens, std::size_t at) {
    return at < tokens.size() && (tokens[at].is("*") || tokens[at].is("/") || tokens[at].is("%"));
}

// The terms that are added to the product [first, last], on either side; products among them are left out.
std::vector<Span> addends(const Tokens& tokens, const Span& product) {
    std::vector<Span> terms;
    for (std::size_t at = product.last + 1; at + 1 < tokens.size() && tokens[at].is("+");) {
        const Span term = operand_from(tokens, at + 1);
        if (term.empty() || multiplies(tokens, term.last + 1)) break;
        terms.push_back(term);
        at = term.last + 1;
    }
    for (std::size_t at = product.first; at >= 2 && tokens[at - 1].is("+");) {
        const Span term = operand_up_to(tokens, at - 2);
        if (term.empty() || (term.first > 0 && multiplies(tokens, term.first - 1))) break;
        terms.push_back(term);
        at = term.first;
    }
    return terms;
}

// a * W + b becomes b * W + a, for each b.
std::vector<Change> flat_indices(const std::string& file, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("*")) continue;
        const Span left = operand_up_to(tokens, i - 1);
        const Span right = operand_from(tokens, i + 1);
        if (left.empty() || right.empty()) continue;
        for (const Span& term : addends(tokens, {left.first, right.last})) changes.push_back(exchanged(file, tokens, left, term));
    }
    return changes;
}

// [y][x] becomes [x][y].
std::vector<Change> bracket_pairs(const std::string& file, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("]") || !tokens[i + 1].is("[")) continue;
        const std::size_t open = partner(tokens, i);
        const std::size_t close = partner(tokens, i + 1);
        if (open != nowhere && close != nowhere) changes.push_back(exchanged(file, tokens, {open + 1, i - 1}, {i + 2, close - 1}));
    }
    return changes;
}

const char* other_axis(const Token& token) { return token.is("x") ? "y" : token.is("y") ? "x" : nullptr; }

bool is_axis(const Tokens& tokens, std::size_t at) {
    return at >= 2 && tokens[at - 1].is(".") && tokens[at - 2].kind == Kind::name && other_axis(tokens[at]) != nullptr;
}

// One .x becomes .y, or the other way round.
std::vector<Change> axes(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is_axis(tokens, i)) changes.push_back({replaced(tokens, {i, i}, other_axis(tokens[i]))});
    }
    return changes;
}

// x and y exchanged in a whole function, for the indices of threads, of blocks, of both, and with the blocks' sizes as well.
std::vector<Change> axes_throughout(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    const std::vector<std::set<std::string>> groups{
        {"threadIdx"}, {"blockIdx"}, {"threadIdx", "blockIdx"}, {"threadIdx", "blockIdx", "blockDim", "gridDim"}};
    for (const std::set<std::string>& group : groups) {
        Change change;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (is_axis(tokens, i) && group.count(tokens[i - 2].text) > 0)
                change.push_back(replaced(tokens, {i, i}, other_axis(tokens[i])));
        }
        changes.push_back(change);
    }
    return changes;
}

// Two neighbours among the arguments of a call, a launch or a constructor.
std::vector<Change> arguments(const std::string& file, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (!tokens[i].is("(") || (tokens[i - 1].kind != Kind::name && !tokens[i - 1].is(">>>"))) continue;
        const std::vector<Span> all = parts_between(tokens, i, ",");
        for (std::size_t one = 1; one < all.size(); ++one) changes.push_back(exchanged(file, tokens, all[one - 1], all[one]));
    }
    return changes;
}

// The names are those that `is_use` finds; each place that `is_replaced` allows gets each of the other names.
std::vector<Change> names_mixed_up(const Tokens& tokens, const std::function<bool(std::size_t)>& is_use,
                                   const std::function<bool(std::size_t)>& is_replaced) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == Kind::name && is_use(i)) names.insert(tokens[i].text);
    }
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (names.count(tokens[i].text) == 0 || !is_replaced(i)) continue;
        for (const std::string& other : names) {
            if (other != tokens[i].text) changes.push_back({replaced(tokens, {i, i}, other)});
        }
    }
    return changes;
}

// The element of another array: of each other one that is indexed in the function.
std::vector<Change> arrays(const std::string& /*file*/, const Tokens& tokens) {
    const auto indexed = [&](std::size_t i) { return i + 1 < tokens.size() && tokens[i + 1].is("["); };
    return names_mixed_up(tokens, indexed, indexed);
}

// Another size: each other one that bounds a loop or a guard of the function. Sizes in a tile's declaration stay.
std::vector<Change> sizes(const std::string& /*file*/, const Tokens& tokens) {
    const auto compares = [&](std::size_t i) { return tokens[i].is("<") || tokens[i].is("<=") || tokens[i].is(">") || tokens[i].is(">="); };
    const auto bound = [&](std::size_t i) {
        const bool whole = i + 1 == tokens.size() || tokens[i + 1].kind == Kind::symbol;
        return i > 0 && whole && tokens[i - 1].alone && compares(i - 1);
    };
    const auto used = [&](std::size_t i) { return i > 0 && tokens[i - 1].kind == Kind::symbol && !tokens[i - 1].is("."); };
    return names_mixed_up(tokens, bound, used);
}

// <<<block, grid>>>
std::vector<Change> launches(const std::string& file, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
        if (!tokens[i].is("<<<")) continue;
        const Span grid = operand_from(tokens, i + 1);
        if (grid.empty() || grid.last + 2 >= tokens.size() || !tokens[grid.last + 1].is(",")) continue;
        const Span block = operand_from(tokens, grid.last + 2);
        if (!block.empty()) changes.push_back(exchanged(file, tokens, grid, block));
    }
    return changes;
}

}  // namespace

std::vector<Rule> rules_of_indices() {
    return {{"index pair exchanged", flat_indices},
            {"index pair exchanged", bracket_pairs},
            {"x for y", axes},
            {"x and y exchanged throughout", axes_throughout},
            {"arguments exchanged", arguments},
            {"arguments exchanged", launches},
            {"wrong array", arrays},
            {"wrong size", sizes}};
}

}  // namespace lab::mutants
