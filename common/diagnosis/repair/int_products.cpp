#include "common/diagnosis/repair/int_products.h"

#include <algorithm>

#include "common/diagnosis/repair/edits.h"
#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {
namespace {

bool is_int_type(std::string_view type) {
    bool is_int = false;
    for (const Token& token : tokens_of(type)) {
        if (token.is("int") || token.is("unsigned")) {
            is_int = true;
        } else if (!token.is("const") && !token.is("constexpr")) {
            return false;
        }
    }
    return is_int;
}

// Whether a node is a variable of type int, or a number.
bool is_int(const Subject& subject, const Node& node) {
    if (node.kind == NodeKind::parentheses) return is_int(subject, node.child(0));
    if (node.kind == NodeKind::binary) return is_int(subject, node.child(0)) && is_int(subject, node.child(1));
    if (node.kind == NodeKind::number) return node.op.find_first_not_of("0123456789") == std::string_view::npos;
    if (node.kind != NodeKind::name) return false;
    for (const Node* const variable : subject.variables_at(node.begin)) {
        if (variable->op == node.op) return variable->dimensions() == 0 && is_int_type(variable->type);
    }
    const std::vector<Parameter>& parameters = subject.function().parameters;
    return std::ranges::any_of(parameters, [&](const Parameter& one) { return one.name == node.op && is_int_type(one.type); });
}

bool is_product(const Node& node) { return node.kind == NodeKind::binary && node.op == "*"; }

bool has_two_variables(const Node& node) {
    return std::ranges::count_if(nodes_of(node), [](const Node* part) { return part->kind == NodeKind::name; }) > 1;
}

}  // namespace

std::vector<IntProduct> int_products(std::string_view source, std::string_view function) {
    std::vector<IntProduct> products;
    for (const auto& one : functions_in(source)) {
        if (one->name != function) continue;
        const Subject subject(source, *one);
        for (const Node* const node : subject.nodes()) {
            if (is_product(*node) && !is_product(*node->parent) && has_two_variables(*node) && is_int(subject, *node))
                products.push_back({line_of(source, node->begin), subject.text(*node)});
        }
    }
    return products;
}

}  // namespace lab::repair
