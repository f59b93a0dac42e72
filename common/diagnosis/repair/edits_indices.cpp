// Indices: pairs exchanged, x for y, one name for another.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {
namespace {

bool overlap(const Node& a, const Node& b) { return a.begin < b.end && b.begin < a.end; }

void exchange(const Subject& subject, const Node& a, const Node& b, std::string_view word, const Propose& propose) {
    const bool is_bracketed = a.parent != b.parent && a.parent->kind == NodeKind::subscript && b.parent->kind == NodeKind::subscript;
    const auto text = [&](const Node& node) { return is_bracketed ? subject.text(node) : subject.operand(node); };
    propose({replaced(a, text(b)), replaced(b, text(a))}, word);
}

bool is_bracket_pair(const Node& node) { return node.kind == NodeKind::subscript && node.child(0).kind == NodeKind::subscript; }

// [a][b] becomes [b][a].
void bracket_pairs(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (is_bracket_pair(*node)) exchange(subject, node->child(0).child(1), node->child(1), access_word(*node), propose);
    }
}

// The same wherever an array is used: a tile that is stored and loaded by columns has right values.
void bracket_pairs_throughout(const Subject& subject, const Propose& propose) {
    std::map<std::string_view, std::vector<Replacement>> of_array;
    for (const Node* const node : subject.nodes()) {
        if (!is_bracket_pair(*node)) continue;
        exchange(subject, node->child(0).child(1), node->child(1), "", [&](std::vector<Replacement> pair, std::string_view /*word*/) {
            std::vector<Replacement>& all = of_array[node->child(0).child(0).op];
            all.insert(all.end(), pair.begin(), pair.end());
        });
    }
    for (auto& [array, all] : of_array) propose(std::move(all), array);
}

bool is_operand(const Node& node) {
    return node.kind == NodeKind::name || node.kind == NodeKind::builtin || node.kind == NodeKind::number ||
           node.kind == NodeKind::parentheses || node.kind == NodeKind::cast;
}

// Exchanges any two operands below a node, each with its parentheses.
void exchange_operands(const Subject& subject, const Node& top, std::string_view word, const Propose& propose) {
    std::vector<const Node*> operands;
    for (const Node* const node : nodes_of(top)) {
        const bool is_called = node->parent->kind == NodeKind::call && &node->parent->children[0] == node;
        const bool is_type = node->parent->kind == NodeKind::call && node->parent->child(0).op == "sizeof";
        if (is_operand(*node) && node != &top && !is_called && !is_type) operands.push_back(node);
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        for (std::size_t k = i + 1; k < operands.size(); ++k) {
            if (!overlap(*operands[i], *operands[k])) exchange(subject, *operands[i], *operands[k], word, propose);
        }
    }
}

// a * W + b becomes b * W + a, in a subscript.
void flat_indices(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::subscript) exchange_operands(subject, node->child(1), access_word(*node), propose);
    }
}

// out[b] = in[a] for out[a] = in[b].
void indices_of_load_and_store(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::assignment || node->child(0).kind != NodeKind::subscript) continue;
        for (const Node* const load : nodes_of(node->child(1))) {
            if (load->kind == NodeKind::subscript) exchange(subject, node->child(0).child(1), load->child(1), "", propose);
        }
    }
}

// AT(col, row, pitch) becomes AT(row, col, pitch) wherever a function, or a macro, makes an index.
void arguments_throughout(const Subject& subject, const Propose& propose) {
    std::map<std::string_view, std::vector<Replacement>> of_function;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::call || node->children.size() < 3 || index_around(*node) == nullptr) continue;
        std::vector<Replacement>& all = of_function[node->child(0).op];
        all.push_back(replaced(node->child(1), subject.text(node->child(2))));
        all.push_back(replaced(node->child(2), subject.text(node->child(1))));
    }
    for (auto& [function, all] : of_function) propose(std::move(all), function);
}

void computed_indices(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (is_index_variable(*node)) exchange_operands(subject, node->children.back(), node->op, propose);
    }
}

void conditions(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::if_else || node->kind == NodeKind::while_loop || node->kind == NodeKind::conditional)
            exchange_operands(subject, node->child(0), "", propose);
        if (node->kind == NodeKind::for_loop) exchange_operands(subject, node->child(1), "", propose);
    }
}

// threadIdx.y for threadIdx.x; tile.y for tile.x.
Replacement on_other_axis(const Subject& subject, const Node& node) {
    std::string other = subject.text(node);
    other.back() = other.back() == 'x' ? 'y' : 'x';
    return replaced(node, std::move(other));
}

bool has_axis(const Node& node) { return node.kind == NodeKind::builtin && (node.op.back() == 'x' || node.op.back() == 'y'); }

void axes(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_of_pair = node->kind == NodeKind::member && (node->op == "x" || node->op == "y");
        if (has_axis(*node) || is_of_pair) propose({on_other_axis(subject, *node)}, subject.text(*node));
    }
}

// In the whole function: for the indices of threads, of blocks, and both.
void axes_throughout(const Subject& subject, const Propose& propose) {
    struct Group {
        const char* name;
        std::set<std::string_view> builtins;
    };
    static const std::vector<Group> groups{{"threadIdx", {"threadIdx"}},
                                           {"blockIdx", {"blockIdx"}},
                                           {"blockIdx", {"blockIdx", "blockDim", "gridDim"}},
                                           {"threadIdx and blockIdx", {"threadIdx", "blockIdx"}},
                                           {"threadIdx and blockIdx", {"threadIdx", "blockIdx", "blockDim", "gridDim"}}};
    for (const auto& [name, builtins] : groups) {
        std::vector<Replacement> all;
        for (const Node* const node : subject.nodes()) {
            if (has_axis(*node) && builtins.count(node->op.substr(0, node->op.find('.'))) > 0) all.push_back(on_other_axis(subject, *node));
        }
        propose(std::move(all), name);
    }
}

void axes_of_statement(const Subject& subject, const Propose& propose) {
    for (const Node* const statement : subject.nodes()) {
        if (statement->kind != NodeKind::declaration && statement->kind != NodeKind::expression) continue;
        std::vector<Replacement> all;
        for (const Node* const node : nodes_of(*statement)) {
            if (has_axis(*node)) all.push_back(on_other_axis(subject, *node));
        }
        propose(std::move(all), "");
    }
}

void arrays(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::subscript || node->child(0).kind == NodeKind::subscript) continue;
        for (const std::string& other : subject.pointers()) {
            if (other != node->child(0).op) propose({replaced(node->child(0), other)}, access_word(*node));
        }
        for (const Node* const variable : subject.variables_at(node->begin)) {
            const bool is_array = variable->dimensions() > 0 || variable->is_pointer();
            if (is_array && variable->op != node->child(0).op)
                propose({replaced(node->child(0), std::string(variable->op))}, access_word(*node));
        }
    }
}

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// a * W + b becomes b * H + a: a matrix is read as its transpose, whose rows have another length.
void transposed_indices(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::subscript) continue;
        const auto parts = nodes_of(node->child(1));
        const auto size = std::find_if(parts.begin(), parts.end(), [&](const Node* part) { return is_size(subject, *part); });
        if (size == parts.end()) continue;
        exchange_operands(subject, node->child(1), access_word(*node), [&](std::vector<Replacement> pair, std::string_view word) {
            for (const std::string& other : subject.sizes()) {
                const auto is_of_size = [&](const Replacement& one) { return one.begin < (*size)->end && (*size)->begin < one.end; };
                if (other == (*size)->op || std::any_of(pair.begin(), pair.end(), is_of_size)) continue;
                std::vector<Replacement> all = pair;
                all.push_back(replaced(**size, other));
                propose(std::move(all), word);
            }
        });
    }
}

// An index of a thread, a loop or a block becomes each other one that is visible.
void indices(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const std::vector<std::string> visible = subject.indices_at(node->begin);
        // element[0] for element[i]
        const bool is_number = node->kind == NodeKind::number && index_around(*node) == node && !is_in_array_size(*node);
        const bool is_index = (node->kind == NodeKind::builtin && !is_size(subject, *node)) || is_number ||
                              (node->kind == NodeKind::name && has(visible, node->op));
        if (!is_index || is_target(*node)) continue;
        for (const std::string& other : visible) {
            if (other != node->op) propose({replaced(*node, other)}, node->op);
        }
        // A block's number takes the place of a block's number only.
        const char* const of_what = node->op.starts_with("blockIdx") ? "blockIdx" : "threadIdx";
        for (const char* const axis : {".x", ".y"}) {
            if (const std::string other = std::string(of_what) + axis; other != node->op) propose({replaced(*node, other)}, node->op);
        }
    }
}

void missing_terms(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_index = index_around(*node) == node || is_index_variable(*node);
        if (!is_index) continue;
        std::vector<std::string> terms = subject.indices_at(statement_of(*node).begin);
        for (const char* const other : {"threadIdx.x", "threadIdx.y"}) terms.emplace_back(other);
        for (const std::string& term : terms) propose({inserted(node->end, " + " + term)}, "");
    }
}

// for (down = ...) tile[threadIdx.y] = in[row + down]: an index lacks the variable of a loop around it.
void missing_steps(const Subject& subject, const Propose& propose) {
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop) continue;
        for (const Node& variable : loop->child(0).children) {
            for (const Node* const index : nodes_of(loop->child(3))) {
                if (index_around(*index) == index && !has_name(*index, variable.op))
                    propose({inserted(index->end, " + " + std::string(variable.op))}, variable.op);
            }
        }
    }
}

// "row = threadIdx.y": an index that lacks the block's part.
void missing_block_parts(const Subject& subject, const Propose& propose) {
    for (const Node* const top : subject.nodes()) {
        const bool is_of_pointer = index_around(*top) == top && has(subject.pointers(), top->parent->child(0).op);
        if (!is_of_pointer && !is_index_variable(*top)) continue;
        const Node& index = is_of_pointer ? *top : top->children.back();
        for (const Node* const node : nodes_of(index)) {
            if (node->kind != NodeKind::builtin || !node->op.starts_with("threadIdx")) continue;
            const std::string axis(node->op.substr(node->op.find('.')));
            if (subject.text(index).find("blockIdx" + axis) == std::string::npos)
                propose({replaced(*node, "(blockIdx" + axis + " * blockDim" + axis + " + " + std::string(node->op) + ")")}, node->op);
        }
    }
}

void missing_factors_of(const Subject& subject, const std::vector<std::string>& factors, const Propose& propose,
                        bool (*is_taken)(const Node&)) {
    for (const Node* const node : subject.nodes()) {
        const bool is_operand_of_sum = is_operand(*node) && node->kind != NodeKind::number && node->parent->kind == NodeKind::binary &&
                                       (node->parent->op == "+" || node->parent->op == "*");
        if (!is_operand_of_sum || !is_taken(*node) || is_in_array_size(*node) || is_size(subject, *node)) continue;
        for (const std::string& factor : factors) propose({inserted(node->end, " * " + factor)}, node->op);
    }
}

void missing_factors(const Subject& subject, const Propose& propose) {
    missing_factors_of(subject, sizes_and_sides(subject), propose, [](const Node& /*node*/) { return true; });
}

// "blockIdx.x + threadIdx.x": a block's number is no index of an element.
void missing_block_sizes(const Subject& subject, const Propose& propose) {
    missing_factors_of(subject, sizes_and_sides(subject), propose,
                       [](const Node& node) { return is_block_index(node) && node.parent->op == "+"; });
}

// "blockIdx.x * blockDim.x" of threads that take several elements each, and "pitch = side + 1": numbers that the function has elsewhere.
void missing_counts(const Subject& subject, const Propose& propose) {
    std::set<std::string> counts;
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::number && node->op != "0" && node->op != "1") counts.emplace(node->op);
    }
    missing_factors_of(subject, {counts.begin(), counts.end()}, propose,
                       [](const Node& node) { return is_block_index(node) && node.parent->op == "*"; });
    for (const Node* const node : subject.nodes()) {
        const bool is_of_size = is_index_variable(*node) && node->children.back().kind == NodeKind::binary;
        if (!is_of_size || !is_operand(node->children.back().child(0))) continue;
        for (const std::string& count : counts) propose({inserted(node->children.back().child(0).end, " * " + count)}, node->op);
    }
}

// for (t = 0; t < W / TILE; ++t): t counts tiles, and indices need the first element of each.
void missing_tile_sizes(const Subject& subject, const Propose& propose) {
    const std::vector<std::string> sizes = sizes_and_sides(subject);
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->child(1).kind != NodeKind::binary) continue;
        const Node& counter = loop->child(1).child(0);
        if (counter.kind != NodeKind::name) continue;
        std::vector<const Node*> uses;
        for (const Node* const node : nodes_of(loop->child(3))) {
            const bool is_scaled = node->parent->kind == NodeKind::binary && node->parent->op == "*";
            if (node->kind == NodeKind::name && node->op == counter.op && !is_scaled && !is_target(*node)) uses.push_back(node);
        }
        for (const std::string& size : sizes) {
            std::vector<Replacement> all;
            for (const Node* const node : uses) all.push_back(replaced(*node, "(" + std::string(node->op) + " * " + size + ")"));
            if (all.size() > 1) propose(std::move(all), counter.op);
        }
    }
}

}  // namespace

std::vector<EditKind> kinds_of_indices() {
    return {{"index pair exchanged", "two indices of this {} are exchanged", 1, bracket_pairs},
            {"index pair exchanged", "the two indices of {} are exchanged wherever it is used", 1, bracket_pairs_throughout},
            {"index pair exchanged", "two indices of this {} are exchanged", 1, flat_indices},
            {"index pair exchanged", "the indices of this load and of this store are exchanged", 1, indices_of_load_and_store},
            {"index pair exchanged", "{} takes row and column in the other order than it is given them", 1, arguments_throughout},
            {"index pair exchanged", "two operands of {} are exchanged", 1, computed_indices},
            {"index pair exchanged", "two operands of this condition are exchanged", 1, conditions},
            {"x for y", "{} is of the wrong axis: x and y are mixed up", 1, axes},
            {"x and y exchanged throughout", "x and y are exchanged in this statement", 1, axes_of_statement},
            {"x and y exchanged throughout", "x and y of {} are exchanged from here on, in the whole function", 1, axes_throughout},
            {"wrong array", "this {} names the wrong array", 1, arrays},
            {"factor missing", "{} counts blocks: a factor is missing", 1, missing_block_sizes},
            {"factor missing", "{} counts tiles: a factor is missing beside it", 1, missing_tile_sizes},
            {"term missing", "the block's part is missing beside {}", 1, missing_block_parts},
            {"term missing", "{} is missing in this index", 1, missing_steps},
            {"index pair exchanged", "this {} takes a matrix for its transpose", 2, transposed_indices},
            {"factor missing", "a factor is missing beside {}: how many elements does a thread or a row take?", 2, missing_counts},
            {"wrong index", "another index belongs in the place of {}", 2, indices},
            {"term missing", "a term is missing in this index", 3, missing_terms},
            {"factor missing", "a factor is missing in this index", 3, missing_factors}};
}

}  // namespace lab::repair
