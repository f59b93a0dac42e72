// Barriers, guards, initial values and whole statements.
#include <algorithm>
#include <set>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {
namespace {

constexpr const char* barrier = "__syncthreads();";

bool is_barrier(const Node& node) {
    return node.kind == NodeKind::expression && node.children.size() == 1 && node.child(0).kind == NodeKind::call &&
           node.child(0).child(0).op == "__syncthreads";
}

void missing_barriers(const Subject& subject, const Propose& propose) {
    if (!subject.uses_shared_memory()) return;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::block) continue;
        for (const Node& statement : node->children) {
            if (!is_barrier(statement)) propose({inserted(statement.begin, std::string(barrier) + " ")}, "before this statement");
        }
        propose({inserted(node->end - 1, std::string(barrier) + " ")}, "at the end of this block");
    }
}

void excess_barriers(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (is_barrier(*node)) propose({replaced(*node, ";")}, "");
    }
}

void moved_barriers(const Subject& subject, const Propose& propose) {
    for (const Node* const from : subject.nodes()) {
        if (!is_barrier(*from)) continue;
        for (const Node* const node : subject.nodes()) {
            if (node->kind != NodeKind::block) continue;
            for (const Node& statement : node->children) {
                if (!is_barrier(statement)) propose({replaced(*from, ";"), inserted(statement.begin, std::string(barrier) + " ")}, "");
            }
            propose({replaced(*from, ";"), inserted(node->end - 1, std::string(barrier) + " ")}, "");
        }
    }
}

// Each half of a loop becomes a loop of its own, with a barrier between the two; both have what is declared in the first half.
void split_loops(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (!is_barrier(*node) || node->parent->kind != NodeKind::block) continue;
        const Node& body = *node->parent;
        if (body.parent == nullptr || body.parent->kind != NodeKind::for_loop) continue;
        const Node& loop = *body.parent;
        std::string between = "} " + std::string(barrier) + " ";
        between += subject.source().substr(loop.begin, body.begin - loop.begin);
        between += "{ ";
        for (const Node& statement : body.children) {
            if (statement.kind == NodeKind::declaration && statement.end <= node->begin) between += subject.text(statement) + " ";
        }
        propose({replaced(*node, std::move(between))}, "");
    }
}

// T sum; becomes T sum = 0;
void initial_values(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_scalar = node->kind == NodeKind::variable && node->dimensions() == 0 && !node->is_pointer();
        if (is_scalar && !node->is_initialised && !node->is_shared()) propose({inserted(node->end, " = 0")}, node->op);
    }
}

// sum = 0; before the loop that adds to it.
void missing_resets(const Subject& subject, const Propose& propose) {
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->parent->kind != NodeKind::block) continue;
        std::set<std::string> sums;
        for (const Node* const node : nodes_of(loop->child(3))) {
            if (node->kind != NodeKind::assignment || node->child(0).kind != NodeKind::name) continue;
            if (node->op == "+=" || (node->op == "=" && has_name(node->child(1), node->child(0).op)))
                sums.insert(subject.text(node->child(0)));
        }
        for (const Node* const variable : subject.variables_at(loop->begin)) {
            const std::string name(variable->op);
            if (sums.count(name) > 0) propose({inserted(loop->begin, name + " = 0; ")}, name);
        }
    }
}

void shared_memory(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::variable && node->dimensions() > 0 && !node->is_shared())
            propose({inserted(node->parent->begin, "__shared__ ")}, node->op);
    }
}

// __shared__ T sum; a scalar of which each thread needs its own.
void shared_scalars(const Subject& subject, const Propose& propose) {
    constexpr std::string_view word = "__shared__";
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || !node->is_shared() || node->dimensions() > 0 || node->is_pointer()) continue;
        const std::size_t begin = subject.place_of(node->type) + node->type.find(word);
        const Replacement own{begin, begin + word.size(), ""};
        propose({own}, node->op);
        propose({own, inserted(node->end, " = 0")}, node->op);
    }
}

// Rows of a tile become a word longer, so that the words of a column lie in different banks.
void paddings(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_tile = node->kind == NodeKind::variable && node->dimensions() > 1;
        if (is_tile && node->is_shared()) propose({inserted(node->child(node->dimensions() - 1).end, " + 1")}, node->op);
    }
}

// All arrays that a kernel declares extern begin at the same address: the second one has to be a part of the first.
void extern_arrays(const Subject& subject, const Propose& propose) {
    const Node* first = nullptr;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::declaration || !subject.text(*node).starts_with("extern ") || node->children.size() != 1) continue;
        const Node& array = node->child(0);
        std::vector<std::string> sizes = subject.sizes();
        for (const char* const side : {"blockDim.x", "blockDim.y"}) sizes.emplace_back(side);
        for (std::size_t one = 0; first != nullptr && one < sizes.size(); ++one) {
            for (std::size_t other = one; other < sizes.size(); ++other) {
                const std::string place = std::string(first->op) + " + " + sizes[one] + " * " + sizes[other];
                propose({replaced(*node, "auto* " + std::string(array.op) + " = " + place + ";")}, array.op);
            }
        }
        if (first == nullptr) first = &array;
    }
}

void excess_statements(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_in_body = node->parent != nullptr && node->parent->kind != NodeKind::for_loop;
        if ((node->kind == NodeKind::expression || node->kind == NodeKind::jump) && is_in_body && !is_barrier(*node))
            propose({replaced(*node, ";")}, "");
    }
}

// A subscript of a pointer that is a parameter.
bool is_global_access(const Subject& subject, const Node& node) {
    const std::vector<std::string>& pointers = subject.pointers();
    return node.kind == NodeKind::subscript && std::find(pointers.begin(), pointers.end(), node.child(0).op) != pointers.end();
}

const Node& without_cast(const Node& node) {
    if (node.kind == NodeKind::cast || node.kind == NodeKind::parentheses) return without_cast(node.children.back());
    const bool converts = node.kind == NodeKind::call && node.children.size() == 2 && node.child(0).op.ends_with("size_t");
    return converts ? without_cast(node.child(1)) : node;
}

// Conditions under which an index lies inside its array: R * P + C gives R < size && C < size, anything else index < size.
std::vector<std::string> guards_of(const Subject& subject, const Node& index) {
    const bool is_flat =
        index.kind == NodeKind::binary && index.op == "+" && index.child(0).kind == NodeKind::binary && index.child(0).op == "*";
    std::vector<std::string> guards;
    for (const std::string& size : subject.sizes()) {
        if (!is_flat) {
            guards.push_back(subject.operand(index) + " < " + size);
            continue;
        }
        const std::string row = subject.operand(without_cast(index.child(0).child(0)));
        const std::string col = subject.operand(index.child(1));
        const std::string pitch = subject.text(index.child(0).child(1));
        guards.push_back(row + " < " + size);
        guards.push_back(col + " < " + size);
        guards.push_back(row + " < " + size + " && " + col + " < " + pitch);
    }
    return guards;
}

void missing_guards(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (!is_global_access(subject, *node)) continue;
        const bool is_store = access_word(*node) == "store";
        const Node& statement = statement_of(*node);
        for (const std::string& guard : guards_of(subject, node->child(1))) {
            if (is_store) {
                propose({inserted(statement.begin, "if (" + guard + ") ")}, "store");
            } else {
                propose({replaced(*node, "(" + guard + " ? " + subject.text(*node) + " : 0)")}, "load");
            }
        }
    }
}

// A return of threads outside the output before the first access, by the index of each store. Barriers need all threads.
void missing_returns(const Subject& subject, const Propose& propose) {
    const std::vector<const Node*>& nodes = subject.nodes();
    const auto accesses = [&](const Node* node) { return is_global_access(subject, *node); };
    const auto first = std::find_if(nodes.begin(), nodes.end(), accesses);
    if (subject.uses_shared_memory() || first == nodes.end()) return;
    const Node* outermost = *first;
    while (outermost->parent != &subject.function().body) outermost = outermost->parent;
    for (const Node* const node : nodes) {
        if (!accesses(node) || access_word(*node) != "store") continue;
        for (const std::string& guard : guards_of(subject, node->child(1)))
            propose({inserted(outermost->begin, "if (!(" + guard + ")) return; ")}, "");
    }
}

// Loads of a loop's next step, which the last step does as well.
void loads_of_next_step(const Subject& subject, const Propose& propose) {
    const auto loads = [&](const Node* node) {
        const bool is_read = node->kind == NodeKind::unary && node->op == "*" && node->child(0).kind == NodeKind::name;
        return (is_read || is_global_access(subject, *node)) && !is_target(*node);
    };
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->child(1).op != "<" || loop->child(2).children.size() != 1) continue;
        const Node& step = loop->child(2).child(0);
        const bool is_sum = step.kind == NodeKind::assignment && step.op == "+=";
        const std::string by = is_sum ? subject.operand(step.child(1)) : "1";
        const std::string next = subject.text(loop->child(1).child(0)) + " + " + by + " < " + subject.operand(loop->child(1).child(1));
        std::vector<Replacement> all;
        for (const Node* const node : nodes_of(loop->child(3))) {
            if (node->kind == NodeKind::expression && node->parent->kind != NodeKind::for_loop &&
                std::ranges::any_of(nodes_of(*node), loads))
                all.push_back(inserted(node->begin, "if (" + next + ") "));
        }
        propose(std::move(all), "");
    }
}

// row = min(blockIdx.y * blockDim.y + threadIdx.y, rows - 1), or an if for it: threads outside the output repeat what the last one inside
// does.
void clamped_indices(const Subject& subject, const Propose& propose) {
    std::vector<Replacement> all;
    std::string names;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || !node->is_initialised || node->children.back().kind != NodeKind::call) continue;
        const Node& call = node->children.back();
        if (call.children.size() != 3 || !call.child(0).op.ends_with("min")) continue;
        all.push_back(replaced(call, subject.text(call.child(1))));
        all.push_back(
            inserted(statement_of(*node).end, " if (" + std::string(node->op) + " > " + subject.text(call.child(2)) + ") return;"));
        names += (names.empty() ? "" : " and ") + std::string(node->op);
    }
    // if (row >= rows) row = rows - 1;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::if_else || node->children.size() != 2 || node->child(0).kind != NodeKind::binary) continue;
        const Node* body = &node->child(1);
        while ((body->kind == NodeKind::block || body->kind == NodeKind::expression) && body->children.size() == 1) body = &body->child(0);
        const bool is_limit = node->child(0).op.starts_with(">") && body->kind == NodeKind::assignment && body->op == "=" &&
                              body->child(0).kind == NodeKind::name && body->child(0).op == node->child(0).child(0).op;
        if (!is_limit) continue;
        all.push_back(replaced(node->child(1), "return;"));
        names += (names.empty() ? "" : " and ") + std::string(body->child(0).op);
    }
    propose(std::move(all), names);
}

// One thread of a row or column does it: `if (threadIdx.y == 0)` is missing.
void missing_choices(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_alone = node->kind == NodeKind::expression && node->parent->kind != NodeKind::for_loop && !is_barrier(*node);
        const bool is_condition = node->kind == NodeKind::if_else;
        for (const char* const thread : {"threadIdx.x", "threadIdx.y"}) {
            const std::string choice = std::string(thread) + " == 0";
            if (is_alone) propose({inserted(node->begin, "if (" + choice + ") ")}, "");
            if (is_condition) propose({inserted(node->child(0).begin, choice + " && ")}, "");
        }
    }
}

bool is_condition_of(const Node& statement) { return statement.kind == NodeKind::if_else || statement.kind == NodeKind::conditional; }

// Variables that a condition can compare further: those before its statement that it does not name; of a loop its own.
std::vector<std::string> comparable(const Subject& subject, const Node& node) {
    std::vector<std::string> own;
    if (node.kind != NodeKind::for_loop) {
        own = subject.indices_at(statement_of(node).begin);
        for (const Node* const part : nodes_of(node.child(0))) std::erase(own, part->op);
        return own;
    }
    for (const Node& variable : node.child(0).children) {
        if (variable.kind == NodeKind::variable && is_integer(variable)) own.emplace_back(variable.op);
    }
    return own;
}

// A further comparison in a condition.
void parts_of_guards(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_loop = node->kind == NodeKind::for_loop && node->child(1).kind != NodeKind::empty;
        if (!is_loop && !is_condition_of(*node)) continue;
        const Node& condition = node->child(is_loop ? 1 : 0);
        for (const std::string& index : comparable(subject, *node)) {
            for (const std::string& size : subject.sizes()) {
                const std::string part = index + " < " + size;
                propose({inserted(condition.begin, "("), inserted(condition.end, ") && " + part)}, part);
            }
        }
    }
}

bool is_return(const Node& statement) {
    const Node& inner = statement.kind == NodeKind::block && statement.children.size() == 1 ? statement.child(0) : statement;
    return inner.kind == NodeKind::jump && inner.children.empty() && inner.op == "return";
}

// Threads that have nothing to load may have something to store.
void early_returns(const Subject& subject, const Propose& propose) {
    if (!subject.uses_shared_memory()) return;
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::if_else && is_return(node->child(1))) propose({replaced(node->child(0), "false")}, "");
    }
}

void excess_guards(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (is_condition_of(*node)) propose({replaced(node->child(0), "true")}, "condition");
        if (node->kind == NodeKind::if_else) propose({replaced(node->child(0), "false")}, "condition");
        if (node->kind != NodeKind::binary || (node->op != "&&" && node->op != "||")) continue;
        propose({{node->child(0).begin, node->child(1).begin, ""}}, "part of a condition");
        propose({{node->child(0).end, node->child(1).end, ""}}, "part of a condition");
    }
}

// if (row <= col && row < n) moves an element and its mirror image: pairs are exchanged, as in a square matrix that is transposed in place.
void half_guards(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || (node->op.front() != '<' && node->op.front() != '>')) continue;
        const std::vector<std::string> own = subject.indices_at(node->begin);
        const auto is_own = [&](const Node& one) { return std::find(own.begin(), own.end(), one.op) != own.end(); };
        if (!is_own(node->child(0)) || !is_own(node->child(1))) continue;
        const Node& around = *node->parent;
        const bool is_part = around.kind == NodeKind::binary && around.op == "&&";
        const Node* branch = node->parent;
        while (branch != nullptr && branch->kind != NodeKind::if_else) branch = branch->parent;
        if (branch == nullptr || (!is_part && &branch->child(0) != node)) continue;
        const Replacement whole = !is_part                   ? replaced(*node, "true")
                                  : &around.child(0) == node ? Replacement{node->begin, around.child(1).begin, ""}
                                                             : Replacement{around.child(0).end, node->end, ""};
        for (const Node* const statement : nodes_of(branch->child(1))) {
            if (statement->kind == NodeKind::expression && !is_barrier(*statement)) propose({whole, replaced(*statement, ";")}, "");
        }
    }
}

}  // namespace

std::vector<EditKind> kinds_of_statements() {
    return {{"barrier dropped", "a barrier is missing {}", 1, missing_barriers},
            {"value not initialised", "{} has no value at first", 1, initial_values},
            {"guard dropped", "a guard is missing for this {}", 1, missing_guards},
            {"guard dropped", "threads outside the output are not kept out", 1, missing_returns},
            {"guard dropped", "threads outside the output are not kept out: they get the last {} again", 1, clamped_indices},
            {"guard dropped", "this loads for a next step after the last one, too", 1, loads_of_next_step},
            {"part of a guard dropped", "a part of this condition is missing", 1, parts_of_guards},
            {"shared memory made local", "the array {} is not in shared memory", 1, shared_memory},
            {"local variable made shared", "the block has one {}, which each thread needs for itself", 1, shared_scalars},
            {"loops merged", "one loop does what two should: its barrier belongs between them", 1, split_loops},
            {"half left out", "this condition leaves out one half of a matrix, as if pairs were exchanged in place", 1, half_guards},
            {"padding dropped", "rows of {} need a word of padding", 2, paddings},
            {"arrays at one address", "{} begins where the extern array before it does", 1, extern_arrays},
            {"guard in excess", "threads return here that have more to do", 1, early_returns},
            {"guard in excess", "this {} does not belong here", 2, excess_guards},
            {"guard dropped", "one thread of several should execute this", 2, missing_choices},
            {"barrier in excess", "this barrier does not belong here", 2, excess_barriers},
            {"sum not reset", "{} is not reset before this loop", 2, missing_resets},
            {"statement in excess", "this statement does not belong here", 2, excess_statements},
            {"barrier moved", "this barrier is in the wrong place", 3, moved_barriers}};
}

}  // namespace lab::repair
