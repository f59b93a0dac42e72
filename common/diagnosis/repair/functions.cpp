#include <algorithm>

#include "common/diagnosis/repair/parser.h"
#include "common/diagnosis/repair/syntax.h"
#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {
namespace {

using Tokens = std::vector<Token>;

void set_parents(Node* node) {
    for (Node& child : node->children) {
        child.parent = node;
        set_parents(&child);
    }
}

// One past the bracket that matches the one at `at`; the number of tokens if none does.
std::size_t past_brackets(const Tokens& tokens, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at; i < tokens.size(); ++i) {
        if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("[")) ++depth;
        if ((tokens[i].is(")") || tokens[i].is("}") || tokens[i].is("]")) && --depth == 0) return i + 1;
    }
    return tokens.size();
}

// The parameters between two tokens, each a type and a name.
std::vector<Parameter> parameters_in(std::string_view source, const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::vector<Parameter> parameters;
    int depth = 0;
    for (std::size_t i = begin, first = begin; i <= end; ++i) {
        if (i < end && (tokens[i].is("<") || tokens[i].is("(") || tokens[i].is("["))) ++depth;
        if (i < end && (tokens[i].is(">") || tokens[i].is(")") || tokens[i].is("]"))) --depth;
        if (i < end && (depth != 0 || !tokens[i].is(","))) continue;
        // `float* p` has at least two tokens; what stands after a = is a default.
        std::size_t last = i;
        for (std::size_t k = first; k < i; ++k) {
            if (tokens[k].is("=")) last = std::min(last, k);
        }
        if (last >= first + 2 && tokens[last - 1].kind == TokenKind::name) {
            const std::size_t from = tokens[first].begin;
            parameters.push_back({source.substr(from, tokens[last - 2].end() - from), tokens[last - 1].text});
        }
        first = i + 1;
    }
    return parameters;
}

// The function whose head is tokens [first, brace), with its body from the brace at `brace`; none if that is no function's head.
std::unique_ptr<Function> function_at(std::string_view source, const Tokens& tokens, std::size_t first, std::size_t brace) {
    std::size_t head = first;
    auto function = std::make_unique<Function>();
    function->begin = tokens[first].begin;
    if (tokens[first].is("template")) {
        while (head < brace && !tokens[head].is(">")) ++head;
        for (const Parameter& parameter : parameters_in(source, tokens, first + 2, head)) {
            if (parameter.type != "typename" && parameter.type != "class") function->template_values.push_back(parameter);
        }
    }
    std::size_t open = head;
    for (; open < brace && !(tokens[open].is("(") && tokens[open - 1].kind == TokenKind::name); ++open) {
        if (tokens[open].is("__global__")) function->is_kernel = true;
        if (tokens[open].is("__device__")) function->is_device = true;
        if (tokens[open].is("=") || tokens[open].is("struct") || tokens[open].is("class")) return nullptr;
        // __launch_bounds__(256) stands before the name.
        if (tokens[open].is("__launch_bounds__") && tokens[open + 1].is("(")) open = past_brackets(tokens, open + 1) - 1;
    }
    if (open >= brace) return nullptr;
    const std::size_t close = past_brackets(tokens, open) - 1;
    if (close >= brace) return nullptr;
    function->name = tokens[open - 1].text;
    function->parameters = parameters_in(source, tokens, open + 1, close);
    // A chain of operators becomes a tree as deep as it is long.
    constexpr std::size_t max_tokens = 20'000;
    const std::size_t past = past_brackets(tokens, brace);
    function->end = tokens[past - 1].end();
    if (past - brace > max_tokens) return nullptr;
    function->body = Parser(source, tokens).block_at(brace);
    set_parents(&function->body);
    return function;
}

void collect(const Node& node, std::vector<const Node*>* nodes) {
    nodes->push_back(&node);
    for (const Node& child : node.children) collect(child, nodes);
}

}  // namespace

Functions functions_in(std::string_view source) {
    const Tokens tokens = tokens_of(source);
    Functions functions;
    for (std::size_t first = 0, i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is(";") || tokens[i].is("}")) {
            first = i + 1;
        } else if (tokens[i].is("{")) {
            if (tokens[first].is("namespace") || tokens[first].is("extern")) {
                first = i + 1;
                continue;
            }
            if (auto function = function_at(source, tokens, first, i)) functions.push_back(std::move(function));
            i = past_brackets(tokens, i) - 1;
            first = i + 1;
        }
    }
    return functions;
}

std::vector<const Node*> nodes_of(const Node& node) {
    std::vector<const Node*> nodes;
    collect(node, &nodes);
    return nodes;
}

bool has_name(const Node& node, std::string_view name) {
    return std::ranges::any_of(nodes_of(node), [&](const Node* part) { return part->kind == NodeKind::name && part->op == name; });
}

bool is_statement(NodeKind kind) {
    return kind == NodeKind::block || kind == NodeKind::declaration || kind == NodeKind::expression || kind == NodeKind::if_else ||
           kind == NodeKind::for_loop || kind == NodeKind::while_loop || kind == NodeKind::do_loop || kind == NodeKind::jump ||
           kind == NodeKind::empty || kind == NodeKind::unread;
}

}  // namespace lab::repair
