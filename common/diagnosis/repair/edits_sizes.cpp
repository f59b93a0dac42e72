// Sizes: one for another, of arrays, of blocks and grids.
#include <algorithm>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {
namespace {

bool is_long_number(const Node& node) {
    return node.kind == NodeKind::number && node.op.size() > 1 && node.op.find_first_not_of("0123456789") == std::string_view::npos;
}

// A size, or a number of several digits in its place, becomes each of `others`.
void exchange_sizes(const Subject& subject, const std::vector<std::string>& others, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if ((!is_size(subject, *node) && !is_long_number(*node)) || is_target(*node)) continue;
        // A size of blocks that a function of the host chooses.
        const bool is_chosen = is_long_number(*node) && node->parent->kind == NodeKind::variable;
        if (is_chosen && subject.function().is_of_host()) continue;
        for (const std::string& other : others) {
            const bool is_constant = other.find('.') == std::string::npos;
            if (other != node->op && (is_constant || !is_in_array_size(*node))) propose({replaced(*node, other)}, node->op);
        }
    }
}

// A size becomes one that the kernel has computed from the sides of its block: const int side = blockDim.x;
void own_sizes(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (!is_size(subject, *node) || is_target(*node) || is_in_array_size(*node)) continue;
        for (const Node* const own : subject.variables_at(node->begin)) {
            const bool is_own =
                is_index_variable(*own) && own->children.back().kind == NodeKind::builtin && is_size(subject, own->children.back());
            if (is_own) propose({replaced(*node, std::string(own->op))}, node->op);
        }
    }
}

void sizes(const Subject& subject, const Propose& propose) { exchange_sizes(subject, sizes_and_sides(subject), propose); }

// "blockIdx.y * 16 + threadIdx.y": where all numbers that blocks are counted in are to be the block's sides.
void fixed_sides(const Subject& subject, const Propose& propose) {
    std::vector<Replacement> all;
    std::string number;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || node->op != "*" || !is_long_number(node->child(1))) continue;
        const Node& block = node->child(0);
        if (!is_block_index(block)) continue;
        number = node->child(1).op;
        all.push_back(replaced(node->child(1), "blockDim" + std::string(block.op.substr(block.op.find('.')))));
    }
    if (all.size() > 1) propose(std::move(all), number);
}

// Less likely, and some are right by chance: threadIdx.x * gridDim.x + blockIdx.x reaches the same elements.
void grid_sizes(const Subject& subject, const Propose& propose) { exchange_sizes(subject, {"gridDim.x", "gridDim.y"}, propose); }

// "const int width = gridDim.x * blockDim.x": a size that the kernel computes becomes one that it is given; two become two.
void computed_sizes(const Subject& subject, const Propose& propose) {
    std::vector<const Node*> computed;
    for (const Node* const node : subject.nodes()) {
        if (!is_index_variable(*node)) continue;
        const std::vector<const Node*> parts = nodes_of(node->children.back());
        const auto is_excluded = [](const Node* part) {
            const bool is_index =
                part->kind == NodeKind::builtin && (part->op.starts_with("threadIdx") || part->op.starts_with("blockIdx"));
            return is_index || part->kind == NodeKind::call;
        };
        if (parts.size() > 1 && std::none_of(parts.begin(), parts.end(), is_excluded)) computed.push_back(node);
    }
    const auto change = [](const Node& variable, const std::string& size) { return replaced(variable.children.back(), size); };
    for (std::size_t i = 0; i < computed.size(); ++i) {
        for (const std::string& size : subject.sizes()) {
            propose({change(*computed[i], size)}, computed[i]->op);
            if (i + 1 == computed.size()) continue;
            for (const std::string& other : subject.sizes()) {
                if (other != size) propose({change(*computed[i], size), change(*computed[i + 1], other)}, computed[i]->op);
            }
        }
    }
}

// blockIdx.x * blockIdx.x + threadIdx.x
void squared_blocks(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || node->op != "*" || node->child(0).kind != NodeKind::builtin) continue;
        const std::string_view name = node->child(0).op;
        if (name.starts_with("blockIdx") && node->child(1).op == name)
            propose({replaced(node->child(1), "blockDim" + std::string(name.substr(name.find('.'))))}, name);
    }
}

// float tile[SIDE] for float tile[SIDE * SIDE], and that for rows of a word more.
void short_arrays(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || node->dimensions() != 1) continue;
        const Node& length = node->child(0);
        for (const std::string& size : subject.sizes()) propose({replaced(length, subject.operand(length) + " * " + size)}, node->op);
        if (length.kind != NodeKind::binary || length.op != "*") continue;
        propose({replaced(length.child(1), "(" + subject.text(length.child(1)) + " + 1)")}, node->op);
    }
}

}  // namespace

std::vector<EditKind> kinds_of_sizes() {
    return {{"wrong size", "another size belongs in the place of {}", 1, sizes},
            {"wrong size", "another size belongs in the place of {}", 1, own_sizes},
            {"wrong size", "{} stands where the sides of a block belong", 1, fixed_sides},
            {"wrong size", "{} is another size", 2, computed_sizes},
            {"wrong size", "another size belongs in the place of {}", 2, grid_sizes},
            {"wrong size", "{} is multiplied by itself, not by the size of a block", 1, squared_blocks},
            {"array too short", "the array {} is too short", 1, short_arrays}};
}

}  // namespace lab::repair
