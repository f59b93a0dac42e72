#include "common/diagnosis/repair/slice.h"

#include <algorithm>

#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {
namespace {

using Nodes = std::vector<const Node*>;

// The condition of a loop or an if; null for other nodes.
const Node* condition_of(const Node& node) {
    switch (node.kind) {
        case NodeKind::if_else:
        case NodeKind::while_loop:
            return &node.child(0);
        case NodeKind::for_loop:
        case NodeKind::do_loop:
            return &node.child(1);
        default:
            return nullptr;
    }
}

bool defines(const Node& part, std::string_view name) {
    return std::ranges::any_of(nodes_of(part), [&](const Node* node) {
        return (node->kind == NodeKind::variable || (node->kind == NodeKind::name && is_target(*node))) && node->op == name;
    });
}

// Statements without others within, among them starts and steps of loops, and conditions.
Nodes parts_of(const Subject& subject) {
    Nodes parts;
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::declaration || node->kind == NodeKind::expression || node->kind == NodeKind::jump)
            parts.push_back(node);
        if (const Node* const condition = condition_of(*node)) parts.push_back(condition);
    }
    return parts;
}

// The conditions around a node, and what the loops around it do at each step.
Nodes heads_around(const Node& node) {
    Nodes heads;
    for (const Node* at = node.parent; at != nullptr; at = at->parent) {
        if (const Node* const condition = condition_of(*at)) heads.push_back(condition);
        if (at->kind == NodeKind::for_loop) heads.insert(heads.end(), {&at->child(0), &at->child(2)});
    }
    return heads;
}

}  // namespace

Nodes backward_slice(const Subject& subject, const std::vector<unsigned>& lines) {
    const Nodes parts = parts_of(subject);
    Nodes slice;
    const auto add = [&](const Node* part) {
        if (std::ranges::find(slice, part) == slice.end()) slice.push_back(part);
    };
    for (const Node* const part : parts) {
        const auto is_in = [&](unsigned line) {
            return line_of(subject.source(), part->begin) <= line && line <= line_of(subject.source(), part->end);
        };
        if (std::ranges::any_of(lines, is_in)) add(part);
    }
    for (std::size_t i = 0; i < slice.size(); ++i) {
        const Node& part = *slice[i];
        for (const Node* const head : heads_around(part)) add(head);
        for (const Node* const other : parts) {
            // A return, break or continue decides about all that follows it.
            if (other->kind == NodeKind::jump && other->end <= part.begin) add(other);
            const auto is_defined = [&](const Node* node) { return node->kind == NodeKind::name && defines(*other, node->op); };
            if (std::ranges::any_of(nodes_of(part), is_defined)) add(other);
        }
    }
    return slice;
}

bool changes(const Edit& edit, const Nodes& nodes) {
    return std::ranges::any_of(edit.replacements, [&](const Replacement& one) {
        return std::ranges::any_of(nodes, [&](const Node* node) { return one.begin <= node->end && node->begin <= one.end; });
    });
}

}  // namespace lab::repair
