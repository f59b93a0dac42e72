// Comparisons, constants, signs, sums and loops' heads.
#include <algorithm>
#include <charconv>
#include <map>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {
namespace {

using Others = std::map<std::string_view, std::vector<const char*>>;

// Each binary operator of the table becomes each of the others that it names.
void exchange_operators(const Subject& subject, const Others& others, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool has_operator = node->kind == NodeKind::binary || node->kind == NodeKind::assignment;
        const auto found = has_operator ? others.find(node->op) : others.end();
        if (found == others.end()) continue;
        for (const char* const other : found->second) propose({operator_replaced(*node, other)}, node->op);
    }
}

void off_by_one(const Subject& subject, const Propose& propose) {
    exchange_operators(subject, {{"<", {"<="}}, {"<=", {"<"}}, {">", {">="}}, {">=", {">"}}}, propose);
}

void comparisons(const Subject& subject, const Propose& propose) {
    exchange_operators(subject,
                       {{"<", {">", ">="}}, {"<=", {">", ">="}}, {">", {"<", "<="}}, {">=", {"<", "<="}}, {"==", {"!="}}, {"!=", {"=="}}},
                       propose);
}

void joints(const Subject& subject, const Propose& propose) { exchange_operators(subject, {{"&&", {"||"}}, {"||", {"&&"}}}, propose); }

void signs(const Subject& subject, const Propose& propose) {
    exchange_operators(subject, {{"+", {"-"}}, {"-", {"+"}}, {"+=", {"-="}}, {"-=", {"+="}}}, propose);
}

void operators(const Subject& subject, const Propose& propose) {
    exchange_operators(subject,
                       {{"+", {"*", "/"}},
                        {"-", {"*", "/"}},
                        {"*", {"/", "%", "+"}},
                        {"/", {"%", "*"}},
                        {"%", {"/", "*"}},
                        {"*=", {"+=", "/="}},
                        {"/=", {"*=", "+="}}},
                       propose);
}

void sums(const Subject& subject, const Propose& propose) {
    const auto is_in_loop = [](const Node* at) {
        while (at != nullptr && at->kind != NodeKind::for_loop && at->kind != NodeKind::while_loop) at = at->parent;
        return at != nullptr;
    };
    // "error = cudaMalloc(...)" is none, nor is "last = count - 1" outside of loops.
    const auto is_sum = [&](const Node& name) {
        const auto known = subject.variables_at(name.begin);
        return std::none_of(known.begin(), known.end(), [&](const Node* variable) {
            const bool is_status = variable->type.find("cudaError_t") != std::string_view::npos;
            return variable->op == name.op && (is_status || (is_integer(*variable) && !is_in_loop(&name)));
        });
    };
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::assignment && node->op == "=" && is_sum(node->child(0)))
            propose({operator_replaced(*node, "+=")}, node->op);
    }
}
void stores(const Subject& subject, const Propose& propose) { exchange_operators(subject, {{"+=", {"="}}}, propose); }

void constants(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::number) continue;
        long long value = 0;
        const auto [end, error] = std::from_chars(node->op.data(), node->op.data() + node->op.size(), value);
        if (error != std::errc() || end != node->op.data() + node->op.size()) continue;
        for (const long long other : {value - 1, value + 1}) {
            if (other >= 0) propose({replaced(*node, std::to_string(other))}, node->op);
        }
    }
}

// Left out: a term of a sum, a factor.
void leave_out_part(const Subject& subject, const Node& node, const Propose& propose) {
    if (node.kind != NodeKind::binary || std::string_view("+-*/%").find(node.op) == std::string_view::npos) return;
    const Node &left = node.child(0), &right = node.child(1);
    propose({{left.end, right.end, ""}}, subject.text(right));
    if (node.op == "+" || node.op == "*") propose({{left.begin, right.begin, ""}}, subject.text(left));
}
void excess_terms(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) leave_out_part(subject, *node, propose);
}
// const int side = blockDim.x * blockDim.y; in[start * side + x], where start counts elements.
void excess_factors(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_size = node->kind == NodeKind::variable && is_integer(*node) && node->is_initialised;
        if (is_size && subject.text(*node).find("Idx") == std::string::npos) leave_out_part(subject, node->children.back(), propose);
        if (node->op == "*" && index_around(*node) != nullptr) leave_out_part(subject, *node, propose);
    }
}

// n += width, where a pointer moves on by several rows.
void pointer_steps(const Subject& subject, const Propose& propose) {
    std::vector<std::string> factors = subject.sizes();
    for (const char* const side : {"blockDim.x", "blockDim.y"}) factors.emplace_back(side);
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::assignment || node->op != "+=") continue;
        const std::vector<const Node*> visible = subject.variables_at(node->begin);
        const bool is_pointer =
            std::ranges::any_of(visible, [&](const Node* variable) { return variable->is_pointer() && variable->op == node->child(0).op; });
        for (const std::string& factor : is_pointer ? factors : std::vector<std::string>())
            propose({replaced(node->child(1), subject.operand(node->child(1)) + " * " + factor)}, node->child(0).op);
    }
}

std::string rounded_up(const Subject& subject, const Node& division) {
    const std::string by = subject.operand(division.child(1));
    return "((" + subject.text(division.child(0)) + " + " + by + " - 1) / " + by + ")";
}

// n / b + 1, which is one too many where b divides n.
void excess_steps(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_sum = node->kind == NodeKind::binary && node->op == "+" && node->child(1).op == "1";
        if (is_sum && node->child(0).kind == NodeKind::binary && node->child(0).op == "/")
            propose({replaced(*node, rounded_up(subject, node->child(0)))}, "");
    }
}

// Each division, and all of one statement: a grid has two sides.
void round_ups(const Subject& subject, const Propose& propose) {
    const Node* statement = nullptr;
    std::vector<Replacement> all;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || node->op != "/") continue;
        const Node& dividend = node->child(0).kind == NodeKind::parentheses ? node->child(0).child(0) : node->child(0);
        if (dividend.kind == NodeKind::binary && dividend.op == "-" && dividend.child(1).op == "1")
            propose({inserted(node->end, " + 1")}, "this division rounds");  // (n - 1) / b
        const Replacement up = replaced(*node, rounded_up(subject, *node));
        propose({up}, "this division rounds");
        if (&statement_of(*node) != statement) all.clear();
        statement = &statement_of(*node);
        all.push_back(up);
        if (all.size() > 1) propose(all, "the divisions of this statement round");
    }
}

// a & (n - 1), each and all of them.
void masks(const Subject& subject, const Propose& propose) {
    std::vector<Replacement> all;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || node->op != "&" || node->child(1).kind != NodeKind::parentheses) continue;
        const Node& less = node->child(1).child(0);
        if (less.kind != NodeKind::binary || less.op != "-" || less.child(1).op != "1") continue;
        all.push_back(replaced(*node, subject.operand(node->child(0)) + " % " + subject.operand(less.child(0))));
        propose({all.back()}, "");
    }
    propose(std::move(all), "");
}

// "x + y" of a map of blocks to tiles that leads out of the grid.
void missing_remainders(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_sum = node->kind == NodeKind::binary && (node->op == "+" || node->op == "-");
        if (!is_sum || node->parent->kind == NodeKind::binary || index_around(*node) != nullptr) continue;
        for (const char* const side : {"gridDim.x", "gridDim.y"}) propose({replaced(*node, subject.operand(*node) + " % " + side)}, "");
    }
}

// (a - b) % n, where a - b can be below 0 or, unsigned, wrap around.
void differences(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || node->op != "%" || node->child(0).kind != NodeKind::parentheses) continue;
        const Node& inner = node->child(0).child(0);
        if (inner.kind != NodeKind::binary || inner.op != "-") continue;
        const std::string by = subject.operand(node->child(1));
        const std::string positive = by + " - " + subject.operand(inner.child(1)) + " % " + by;
        propose({operator_replaced(inner, "+"), replaced(inner.child(1), positive)}, "");
    }
}

// a + b / c for (a + b) / c, a * b + c for a * (b + c).
void missing_parentheses(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || (node->op != "+" && node->op != "-")) continue;
        const auto is_product = [](const Node& one) {
            return one.kind == NodeKind::binary && (one.op == "*" || one.op == "/" || one.op == "%");
        };
        const Node &left = node->child(0), &right = node->child(1);
        if (is_product(right)) propose({inserted(left.begin, "("), inserted(right.child(0).end, ")")}, node->op);
        if (is_product(left)) propose({inserted(left.child(1).begin, "("), inserted(right.end, ")")}, node->op);
    }
}

// #define PITCH SIDE + 1, or #define AT(row, col) row * 8 + col: what stands beside it, or in it, binds closer.
void macros(const Subject& subject, const Propose& propose) {
    std::map<std::string_view, std::vector<Replacement>> all;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::name || subject.source().find("#define " + std::string(node->op)) == std::string_view::npos) continue;
        const bool is_call = node->parent->kind == NodeKind::call && &node->parent->child(0) == node;
        const Node& use = is_call ? *node->parent : *node;
        std::vector<Replacement>& edits = all[node->op];
        edits.push_back(inserted(use.begin, "("));
        for (std::size_t i = 1; i < use.children.size(); ++i) {
            edits.push_back(inserted(use.child(i).begin, "("));
            edits.push_back(inserted(use.child(i).end, ")"));
        }
        edits.push_back(inserted(use.end, ")"));
    }
    for (auto& [name, edits] : all) propose(std::move(edits), name);
}

// (a + b) * c for a * c + b, or for a + b * c.
void excess_parentheses(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::binary || node->op != "*") continue;
        for (const std::size_t side : {0U, 1U}) {
            const Node& sum = node->child(side);
            if (sum.kind != NodeKind::parentheses || sum.child(0).kind != NodeKind::binary || sum.child(0).op != "+") continue;
            const std::string factor = " * " + subject.operand(node->child(1 - side));
            const Node &first = sum.child(0).child(0), &second = sum.child(0).child(1);
            propose({replaced(*node, subject.operand(first) + factor + " + " + subject.text(second))}, subject.text(second));
            propose({replaced(*node, subject.text(first) + " + " + subject.operand(second) + factor)}, subject.text(first));
        }
    }
}

// a[i] + j for a[i + j].
void early_brackets(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_sum = node->kind == NodeKind::binary && (node->op == "+" || node->op == "-");
        if (!is_sum || node->child(0).kind != NodeKind::subscript) continue;
        const std::string term = " " + std::string(node->op) + " " + subject.text(node->child(1));
        propose({{node->child(0).end - 1, node->end, term + "]"}}, subject.text(node->child(1)));
    }
}

// "float* x_tile = tiles + block" of two arrays in one: the first one may be a square.
void missing_squares(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || !node->is_pointer() || !node->is_initialised) continue;
        const Node& start = node->children.back();
        const bool is_sum = start.kind == NodeKind::binary && start.op == "+";
        if (is_sum && (start.child(1).kind == NodeKind::name || start.child(1).kind == NodeKind::builtin))
            propose({inserted(start.end, " * " + subject.text(start.child(1)))}, node->op);
    }
}

// Whether a variable, or an element of it, is assigned or added to.
bool is_assigned(const Subject& subject, std::string_view name) {
    return std::ranges::any_of(subject.nodes(), [&](const Node* node) {
        if (node->kind != NodeKind::assignment || (node->op != "+=" && node->op != "=")) return false;
        const Node* target = &node->child(0);
        while (target->kind == NodeKind::subscript) target = &target->child(0);
        return target->kind == NodeKind::name && target->op == name;
    });
}

// A sum, or a tile, of integers becomes one of floating-point numbers.
void integer_types(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || node->is_pointer() || !is_assigned(subject, node->op)) continue;
        for (const std::string_view integer : {"int", "unsigned", "long", "auto"}) {
            const std::size_t at = node->type.find(integer);
            if (at == std::string_view::npos || (integer == "auto" && (!node->is_initialised || node->children.back().op != "0"))) continue;
            const std::size_t begin = subject.place_of(node->type) + at;
            for (const char* const other : {"float", "double"}) propose({{begin, begin + integer.size(), other}}, node->op);
        }
    }
}

// A value that is no index becomes another one of its type: out[at + 1] = first.
void values(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::name || is_target(*node)) continue;
        const std::vector<const Node*> visible = subject.variables_at(node->begin);
        const auto own = std::ranges::find_if(visible, [&](const Node* variable) { return variable->op == node->op; });
        if (own == visible.end() || is_integer(**own) || (*own)->dimensions() > 0 || (*own)->is_pointer()) continue;
        for (const Node* const other : visible) {
            if (other->type == (*own)->type && other->op != node->op && other->dimensions() == 0)
                propose({replaced(*node, std::string(other->op))}, node->op);
        }
    }
}

void arguments(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        const bool is_call = node->kind == NodeKind::call;
        const bool is_like_one = node->kind == NodeKind::list && node->parent->kind == NodeKind::variable;  // dim3 grid(a, b)
        if (!is_call && !is_like_one) continue;
        const std::string name = is_call ? subject.text(node->child(0)) : std::string(node->parent->op);
        for (std::size_t i = is_call ? 1 : 0; i < node->children.size(); ++i) {
            for (std::size_t k = i + 1; k < node->children.size(); ++k) {
                const Node &a = node->child(i), &b = node->child(k);
                propose({replaced(a, subject.text(b)), replaced(b, subject.text(a))}, name);
            }
        }
    }
}

}  // namespace

std::vector<EditKind> kinds_of_arithmetic() {
    return {{"comparison off by one", "this {} compares with one too many or one too few", 1, off_by_one},
            {"and made or", "the wrong one of && and ||", 1, joints},
            {"constant off by one", "the number {} is off by one", 1, constants},
            {"sign changed", "the wrong one of + and -", 1, signs},
            {"difference below 0", "this difference can be below 0, where % gives another remainder", 1, differences},
            {"sum not kept", "this replaces a sum instead of adding to it", 1, sums},
            {"sum instead of a store", "this adds to what was there instead of replacing it", 1, stores},
            {"round-up dropped", "{} down", 1, round_ups},
            {"operator exchanged", "this & gives a remainder by powers of two only", 1, masks},
            {"step in excess", "this sum is one too many where nothing remains", 1, excess_steps},
            {"remainder dropped", "this sum leads out of the grid: its remainder is missing", 2, missing_remainders},
            {"arguments exchanged", "two arguments of {} are exchanged", 1, arguments},
            {"wrong type", "{} holds integers only", 1, integer_types},
            {"bracket moved", "{} belongs in the brackets before it", 1, early_brackets},
            {"factor missing", "{} begins too early: a factor is missing", 2, missing_squares},
            {"parentheses dropped", "the macro {} is replaced as it stands: it, or what is put in, lacks parentheses", 1, macros},
            {"wrong variable", "another variable belongs in the place of {}", 1, values},
            {"parentheses in excess", "the sum with {} does not belong in parentheses", 2, excess_parentheses},
            {"parentheses dropped", "the {} belongs in parentheses", 2, missing_parentheses},
            {"term in excess", "{} does not belong here", 2, excess_factors},
            {"comparison exchanged", "this {} is the wrong comparison", 3, comparisons},
            {"operator exchanged", "this {} is the wrong operator", 3, operators},
            {"term in excess", "{} does not belong here", 3, excess_terms},
            {"factor missing", "a factor is missing in this step of {}", 1, pointer_steps}};
}

}  // namespace lab::repair
