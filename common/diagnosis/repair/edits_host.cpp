// Functions of the host: arrays that their calls name, sizes in bytes, directions of copies.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {
namespace {

// The name in an argument `a` or `&a`; null if it is neither.
const Node* name_in(const Node& argument) {
    if (argument.kind == NodeKind::name) return &argument;
    const bool is_address = argument.kind == NodeKind::unary && argument.op == "&" && argument.child(0).kind == NodeKind::name;
    return is_address ? &argument.child(0) : nullptr;
}

template <typename Use>
void each_argument(const Subject& subject, const Use& use) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::call) continue;
        for (std::size_t i = 1; i < node->children.size(); ++i) use(*node, node->child(i));
    }
}

// Pointers that a call can name, each to constants, or not.
std::map<std::string_view, bool> pointers_at(const Subject& subject, const Node& call) {
    std::map<std::string_view, bool> pointers;
    const auto add = [&](std::string_view name, std::string_view type) { pointers[name] = type.find("const") != std::string_view::npos; };
    for (const Parameter& parameter : subject.function().parameters) {
        if (parameter.is_pointer()) add(parameter.name, parameter.type);
    }
    for (const Node* const variable : subject.variables_at(call.begin)) {
        if (variable->is_pointer()) add(variable->op, variable->type);
    }
    return pointers;
}

void array_arguments(const Subject& subject, const Propose& propose) {
    each_argument(subject, [&](const Node& call, const Node& argument) {
        const Node* const name = name_in(argument);
        if (name == nullptr) return;
        const std::map<std::string_view, bool> pointers = pointers_at(subject, call);
        const auto own = pointers.find(name->op);
        if (own == pointers.end()) return;
        for (const auto& [other, is_to_constants] : pointers) {
            if (other != name->op && (own->second || !is_to_constants)) propose({replaced(*name, std::string(other))}, name->op);
        }
    });
}

void directions(const Subject& subject, const Propose& propose) {
    static constexpr std::array all{"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    each_argument(subject, [&](const Node& /*call*/, const Node& argument) {
        if (std::find(all.begin(), all.end(), argument.op) == all.end()) return;
        for (const char* const other : all) {
            if (other != argument.op) propose({replaced(argument, other)}, "");
        }
    });
}

bool takes_bytes(const Subject& subject, const Node& call) {
    const std::string name = subject.text(call.child(0));
    return name.starts_with("cudaMalloc") || name.starts_with("cudaMemcpy") || name.starts_with("cudaMemset") ||
           name.starts_with("cudaHost");
}

// cudaMalloc(&x, bytes_of_y)
void bytes_of_others(const Subject& subject, const Propose& propose) {
    each_argument(subject, [&](const Node& call, const Node& argument) {
        if (!takes_bytes(subject, call) || argument.kind != NodeKind::name) return;
        const std::vector<std::string> sizes = subject.indices_at(call.begin);
        if (std::ranges::find(sizes, argument.op) == sizes.end()) return;
        for (const std::string& other : sizes) {
            if (other != argument.op) propose({replaced(argument, other)}, argument.op);
        }
    });
}

// memset(row, 0, cols) of the host's own memory.
void bytes_of_host(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::call || node->children.size() != 4) continue;
        const std::string_view name = node->child(0).op;
        const std::string unit = " * sizeof(*(" + subject.text(node->child(1)) + "))";
        if (name.ends_with("memset") || name.ends_with("memcpy") || name.ends_with("memmove"))
            propose({replaced(node->child(3), subject.operand(node->child(3)) + unit)}, "");
    }
}

// Also of a variable that holds such a size: size_t bytes = W * sizeof(float).
void bytes(const Subject& subject, const Propose& propose) {
    const auto propose_at = [&](const Node& size) {
        const bool has_unit = subject.text(size).find("sizeof") != std::string::npos;
        if (!has_unit) return propose({replaced(size, subject.operand(size) + " * sizeof(float)")}, "");
        for (const std::string& factor : subject.sizes()) propose({inserted(size.begin, "size_t(" + factor + ") * ")}, "");
    };
    bool takes_any = false;
    each_argument(subject, [&](const Node& call, const Node& argument) {
        if (!takes_bytes(subject, call)) return;
        takes_any = true;
        if (argument.op.find("cudaMemcpy") == std::string::npos) propose_at(argument);
    });
    if (!takes_any) return;
    for (const Node* const node : subject.nodes()) {
        if (node->kind == NodeKind::variable && is_integer(*node) && node->is_initialised) propose_at(node->children.back());
    }
}

// sizeof(M) of a pointer M, wherever one stands.
void sizes_of_pointers(const Subject& subject, const Propose& propose) {
    std::vector<const Node*> all;
    each_argument(subject, [&](const Node& call, const Node& argument) {
        const bool is_size_of_name = call.child(0).op == "sizeof" && argument.kind == NodeKind::name;
        if (is_size_of_name && pointers_at(subject, call).count(argument.op) > 0) all.push_back(&call);
    });
    if (all.empty()) return;
    std::vector<std::string> sizes = subject.indices_at(all.front()->begin);
    for (std::size_t i = 0; i < subject.sizes().size(); ++i) {
        const std::string one = "sizeof(float) * " + subject.sizes()[i];
        sizes.push_back(one);
        for (std::size_t k = i; k < subject.sizes().size(); ++k) sizes.push_back(one + " * " + subject.sizes()[k]);
    }
    for (const std::string& size : sizes) {
        std::vector<Replacement> edits;
        for (const Node* const call : all) edits.push_back(replaced(*call, "(" + size + ")"));
        propose(std::move(edits), all.front()->child(1).op);
    }
}

// float* q = p + bytes: what is added to a pointer counts elements.
void offsets_in_bytes(const Subject& subject, const Propose& propose) {
    std::vector<Replacement> all;
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || !node->is_pointer() || !node->is_initialised) continue;
        const Node& start = node->children.back();
        if (start.kind == NodeKind::binary && start.op == "+" && start.child(0).kind == NodeKind::name)
            all.push_back(inserted(start.child(1).end, " / sizeof(float)"));
    }
    propose(std::move(all), "");
}

// dim3 grid(x) lacks what (x, y) has.
void grids_of_one_side(const Subject& subject, const Propose& propose) {
    for (const Node* const node : subject.nodes()) {
        if (node->kind != NodeKind::variable || node->type.find("dim3") == std::string_view::npos || node->children.size() != 1) continue;
        const Node& start = node->child(0);
        const Node& x = start.kind == NodeKind::list && start.children.size() == 1 ? start.child(0) : start;
        std::string y = subject.text(x);
        for (std::size_t at = y.find(".x"); at != std::string::npos; at = y.find(".x", at)) y[at + 1] = 'y';
        propose({inserted(x.end, ", " + y)}, node->op);
    }
}

template <void (*edits)(const Subject&, const Propose&)>
void of_host(const Subject& subject, const Propose& propose) {
    if (subject.function().is_of_host()) edits(subject, propose);
}

}  // namespace

std::vector<EditKind> kinds_of_host() {
    return {{"wrong array", "another array belongs in the place of {}", 1, of_host<array_arguments>},
            {"copy direction exchanged", "the direction of this copy is wrong", 1, of_host<directions>},
            {"grid of one side", "{} has one side only", 1, of_host<grids_of_one_side>},
            {"wrong size", "sizeof({}) is the size of a pointer, not of the array", 1, of_host<sizes_of_pointers>},
            {"offset in bytes", "what is added to a pointer counts elements, not bytes", 1, of_host<offsets_in_bytes>},
            {"wrong size", "{} is the size of another array", 1, of_host<bytes_of_others>},
            {"wrong size", "this size is not in bytes", 1, of_host<bytes_of_host>},
            {"wrong size", "this size is not in bytes, or not of the whole array", 1, of_host<bytes>}};
}

}  // namespace lab::repair
