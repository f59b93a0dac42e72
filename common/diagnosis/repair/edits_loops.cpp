// Loops: where they begin and end, their steps, and what belongs inside.
#include <algorithm>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {
namespace {

void bounds(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::for_loop && node->kind != NodeKind::while_loop) continue;
        const Node& condition = node->child(node->kind == NodeKind::for_loop ? 1 : 0);
        if (condition.kind != NodeKind::binary) continue;
        for (const char* const more : {" + 1", " - 1"}) propose({inserted(condition.child(1).end, more)}, "");
    }
}

// Loops that leave out their first steps.
void starts(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::for_loop) continue;
        for (const Node& variable : node->child(0).children) {
            if (variable.kind == NodeKind::variable && variable.is_initialised) propose({replaced(variable.children.back(), "0")}, "");
        }
    }
}

void steps(const Subject& subject, const Propose& propose) {
    std::vector<std::string> all = subject.sizes();
    for (const char* const step : {"blockDim.x", "blockDim.y", "2", "4"}) all.emplace_back(step);
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::for_loop || node->child(2).children.size() != 1) continue;
        const Node& step = node->child(2).child(0);
        if (step.kind == NodeKind::unary || step.kind == NodeKind::postfix) {
            for (const std::string& other : all) propose({replaced(step, subject.text(step.child(0)) + " += " + other)}, "");
        } else if (step.kind == NodeKind::assignment) {
            for (const std::string& other : all) propose({replaced(step.child(1), other)}, "");
            propose({replaced(step, "++" + subject.text(step.child(0)))}, "");
        }
    }
}

// Loops over elements that a block's step lets all blocks repeat.
void grid_strides(const Subject& subject, const Propose& propose) {
    std::vector<Replacement> all;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::for_loop || node->child(2).children.size() != 1) continue;
        const Node& step = node->child(2).child(0);
        if (step.kind != NodeKind::assignment || step.child(1).kind != NodeKind::builtin || !step.child(1).op.starts_with("blockDim"))
            continue;
        const std::string axis(step.child(1).op.substr(step.child(1).op.find('.')));
        all.push_back(inserted(step.end, " * gridDim" + axis));
    }
    if (!all.empty()) propose(std::move(all), "");
}

// for (unsigned i = n - 1; i >= 0; --i)
void unsigned_counters(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::for_loop || node->child(1).kind != NodeKind::binary || node->child(1).op != ">=") continue;
        for (const Node& variable : node->child(0).children) {
            const std::size_t begin = variable.kind == NodeKind::variable ? subject.place_of(variable.type) : 0;
            if (begin != 0) propose({{begin, begin + variable.type.size(), "int"}}, variable.op);
        }
    }
}

// `if (i < n)` where each thread has to go on in steps of all threads of its block, or of the grid.
void missing_loops(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::if_else || node->children.size() != 2) continue;
        const Node& condition = node->child(0);
        if (condition.kind != NodeKind::binary || condition.op != "<" || condition.child(0).kind != NodeKind::name) continue;
        const std::string index(condition.child(0).op), end = subject.text(condition.child(1));
        for (const Node* const variable : subject.variables_at(node->begin)) {
            if (variable->op != index || !is_integer(*variable) || !variable->is_initialised) continue;
            const std::string first = subject.text(variable->children.back());
            if (first.find("threadIdx") == std::string::npos) continue;
            for (const char* const step : {"blockDim.x", "blockDim.y", "blockDim.x * gridDim.x", "blockDim.y * gridDim.y"}) {
                const std::string steps = "; " + index + " < " + end + "; " + index + " += " + step;
                propose({{node->begin, node->child(1).begin, "for (int " + index + " = " + first + steps + ") "}}, index);
            }
        }
    }
}

// "for (first = 0; first + strip <= rows; first += strip)" does whole strips only: the last one has to end at rows.
void missing_last_strips(const Subject& subject, const Propose& propose) {
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->child(1).kind != NodeKind::binary || loop->child(1).op != "<=") continue;
        const Node& reached = loop->child(1).child(0);
        if (reached.kind != NodeKind::binary || reached.op != "+") continue;
        const std::string end = subject.text(loop->child(1).child(1));
        std::vector<Replacement> all{replaced(reached, subject.text(reached.child(0))), operator_replaced(loop->child(1), "<")};
        for (const Node* const inner : nodes_of(loop->child(3))) {
            if (inner->kind != NodeKind::for_loop || inner->child(1).kind != NodeKind::binary) continue;
            const Node& condition = inner->child(1);
            if (subject.text(condition.child(1)) == subject.text(reached))
                all.push_back(inserted(condition.end, " && " + subject.text(condition.child(0)) + " < " + end));
        }
        propose(std::move(all), "");
    }
}

// for (k = threadIdx.x; k < n; k += blockDim.x), where each thread needs all terms.
void shared_out_loops(const Subject& subject, const Propose& propose) {
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->child(0).children.size() != 1 || loop->child(2).children.size() != 1) continue;
        const Node &variable = loop->child(0).child(0), &step = loop->child(2).child(0);
        const bool starts_late = variable.kind == NodeKind::variable && variable.is_initialised && variable.children.back().op != "0";
        if (starts_late && step.kind == NodeKind::assignment && step.op == "+=")
            propose({replaced(variable.children.back(), "0"), replaced(step, "++" + subject.text(step.child(0)))}, "");
    }
}

// for (col = row; ...) or for (col = 0; col < row; ...): pairs are exchanged, as in a square matrix that is transposed in place.
void halves(const Subject& subject, const Propose& propose) {
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->child(0).children.size() != 1) continue;
        const Node &variable = loop->child(0).child(0), &condition = loop->child(1);
        if (variable.kind != NodeKind::variable || !variable.is_initialised || condition.kind != NodeKind::binary) continue;
        const auto is_of_outer = [&](std::string_view name) {
            for (const Node* at = loop->parent; at != nullptr; at = at->parent) {
                if (at->kind == NodeKind::for_loop && !at->child(0).children.empty() && at->child(0).child(0).op == name) return true;
            }
            return false;
        };
        const auto names_outer = [&](const Node& node) {
            return std::ranges::any_of(nodes_of(node), [&](const Node* part) { return is_of_outer(part->op); });
        };
        std::vector<Replacement> wholes;
        if (names_outer(variable.children.back())) wholes.push_back(replaced(variable.children.back(), "0"));
        if (names_outer(condition.child(1))) {
            for (const std::string& size : subject.sizes())
                wholes.push_back(replaced(condition, subject.text(condition.child(0)) + " < " + size));
        }
        for (const Replacement& whole : wholes) {
            propose({whole}, "");
            for (const Node* const one : nodes_of(loop->child(3))) {
                if (one->kind == NodeKind::expression && one->children.size() == 1 && one->child(0).kind == NodeKind::assignment)
                    propose({whole, replaced(*one, ";")}, "");
            }
        }
    }
}

// What is declared, with a value, before a loop, and changed in it, is declared in each of its steps.
void late_declarations(const Subject& subject, const Propose& propose) {
    for (const Node* const loop : subject.nodes()) {
        if (loop->kind != NodeKind::for_loop || loop->parent->kind != NodeKind::block) continue;
        const Node& body = loop->child(3);
        for (const Node& statement : loop->parent->children) {
            if (statement.kind != NodeKind::declaration || statement.end > loop->begin || statement.children.size() != 1) continue;
            const Node& variable = statement.child(0);
            const std::string text = subject.text(statement);
            const bool has_value = variable.is_initialised || text.find('(') != std::string::npos;
            const std::string_view own = variable.type.substr(variable.is_pointer() ? variable.type.rfind('*') : 0);
            if (has_value && own.find("const") == std::string_view::npos && has_name(body, variable.op))
                propose({replaced(statement, ";"), inserted(body.begin, "{ " + text + " "), inserted(body.end, " }")}, variable.op);
        }
    }
}

// A statement before or behind a loop moves into its body, the last one of the body moves behind it.
void moved_statements(const Subject& subject, const Propose& propose) {
    const auto can_move = [](const Node& statement) {
        const bool is_call = statement.children.size() == 1 && statement.child(0).kind == NodeKind::call;
        return statement.kind == NodeKind::expression && !is_call;
    };
    for (const Node* const block : subject.nodes()) {
        for (std::size_t i = 0; block->kind == NodeKind::block && i < block->children.size(); ++i) {
            const Node& loop = block->child(i);
            if (loop.kind != NodeKind::for_loop && loop.kind != NodeKind::while_loop) continue;
            const Node& body = loop.children.back();
            const auto move_in = [&](const Node& statement, bool is_first) {
                const std::string text = subject.text(statement);
                if (can_move(statement))
                    propose({replaced(statement, ";"), inserted(body.begin, is_first ? "{ " + text + " " : "{ "),
                             inserted(body.end, is_first ? " }" : " " + text + " }")},
                            is_first ? "inside the loop that follows" : "inside the loop before it");
            };
            if (i > 0) move_in(block->child(i - 1), true);
            if (i + 1 < block->children.size()) move_in(block->child(i + 1), false);
            if (body.kind == NodeKind::block && !body.children.empty() && can_move(body.children.back()))
                propose({replaced(body.children.back(), ";"), inserted(loop.end, " " + subject.text(body.children.back()))},
                        "behind the loop that it is in");
        }
    }
}

}  // namespace

std::vector<EditKind> kinds_of_loops() {
    return {{"bound off by one", "the bound of this loop is off by one", 1, bounds},
            {"wrong start", "this loop does not begin with 0", 1, starts},
            {"wrong step", "the step of this loop is wrong", 1, steps},
            {"wrong step", "the step of this loop is a block's, not the grid's", 1, grid_strides},
            {"wrong type", "{} is never below 0, so this loop does not end there", 1, unsigned_counters},
            {"loop made a condition", "a loop over {} is missing: each thread has more than one to do", 2, missing_loops},
            {"last step dropped", "what remains after the last whole step of this loop is left out", 1, missing_last_strips},
            {"loop shared out", "this loop leaves terms to other threads, whose sums nobody adds", 1, shared_out_loops},
            {"half left out", "this loop reaches one half of a matrix only, as if pairs were exchanged in place", 1, halves},
            {"statement moved", "this statement belongs {}", 1, moved_statements},
            {"sum not reset", "{} keeps what an earlier step of a loop has left in it", 1, late_declarations}};
}

}  // namespace lab::repair
