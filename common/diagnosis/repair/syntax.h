// Syntax trees of a student's functions, with the place of each node in the source text.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lab::repair {

enum class NodeKind {
    // Expressions. `op`: the operator, the name, the number, the member.
    name,         // also a qualified one
    builtin,      // threadIdx.x and the like
    number,       // an integer or floating-point literal
    text,         // a string or a character
    unary,        // children: operand
    postfix,      // ++ or --; children: operand
    binary,       // children: left, right
    assignment,   // children: target, value
    conditional,  // children: condition, value if true, value if false
    call,         // children: function, arguments...; of a launch the configuration precedes them
    subscript,    // children: array, index
    member,       // children: object
    parentheses,  // children: expression
    cast,         // children: operand; `op`: the type
    list,         // { a, b }; children: elements
    // Statements
    block,        // children: statements
    declaration,  // children: variables
    variable,     // children: array sizes..., then the initialiser, if any; `op`: its name
    expression,   // children: expressions separated by commas
    if_else,      // children: condition, statement, and one after else, if any
    for_loop,     // children: start (a statement), condition, step (an expression statement), body; one that is absent is `empty`
    while_loop,   // children: condition, body
    do_loop,      // children: body, condition
    jump,         // return, break or continue; children: the value, if any
    empty,        // nothing, or a semicolon
    unread        // text that the parser can't read
};

struct Node {
    NodeKind kind = NodeKind::empty;
    std::size_t begin = 0, end = 0;  // bytes of the source
    std::string_view op;
    std::size_t op_begin = 0;  // of an operator
    std::vector<Node> children;
    const Node* parent = nullptr;
    std::string_view type;  // of a variable: all words before its name, "__shared__ T" and "const float *"
    bool is_initialised = false;

    [[nodiscard]] const Node& child(std::size_t i) const { return children.at(i); }
    // Sizes of an array, 0 of a variable that is none.
    [[nodiscard]] std::size_t dimensions() const { return children.size() - (is_initialised ? 1 : 0); }
    [[nodiscard]] bool is_pointer() const { return type.find('*') != std::string_view::npos; }
    [[nodiscard]] bool is_shared() const { return type.find("__shared__") != std::string_view::npos; }
};

struct Parameter {
    std::string_view type, name;
    [[nodiscard]] bool is_pointer() const { return type.find('*') != std::string_view::npos; }
};

// A function with a body. Nodes know their parents, so that it can't be copied.
struct Function {
    Function() = default;
    Function(const Function&) = delete;
    Function& operator=(const Function&) = delete;

    std::string_view name;
    std::size_t begin = 0, end = 0;  // from `template` or its first specifier to its closing brace
    bool is_kernel = false;          // __global__
    bool is_device = false;          // __device__
    [[nodiscard]] bool is_of_host() const { return !is_kernel && !is_device; }
    std::vector<Parameter> template_values;  // integers: template <int TILE, typename T> has TILE
    std::vector<Parameter> parameters;
    Node body;  // a block
};

using Functions = std::vector<std::unique_ptr<Function>>;

// All functions with a body that stand at the top level of a file or in a namespace. The source has to outlive them.
[[nodiscard]] Functions functions_in(std::string_view source);

// A node and all below it, in the order of the source.
[[nodiscard]] std::vector<const Node*> nodes_of(const Node& node);

// Whether a name stands in a node, or below it.
[[nodiscard]] bool has_name(const Node& node, std::string_view name);

[[nodiscard]] bool is_statement(NodeKind kind);

}  // namespace lab::repair
