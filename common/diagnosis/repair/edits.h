// Single edits of a function's text: each undoes one kind of mistake at one place.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnosis/repair/syntax.h"

namespace lab::repair {

// Bytes [begin, end) of the source become `text`.
struct Replacement {
    std::size_t begin = 0, end = 0;
    std::string text;
};

class Subject;
// Takes the replacements of an edit, which don't overlap, the one at the mistake's line first, and the word that fills the {} of its
// kind's phrase.
using Propose = std::function<void(std::vector<Replacement>, std::string_view)>;

// A row of the table. The kind of mistake that a machine-made mutant has as well (tests/mutants/machine) has the same name.
struct EditKind {
    const char* name;    // "index pair exchanged"
    const char* phrase;  // told to the student: "two indices of this {} are exchanged"
    int stage;           // 1 to 3: likely kinds are tried first
    void (*propose)(const Subject& subject, const Propose& propose);
};

// All rows, in the order in which they are tried.
[[nodiscard]] const std::vector<EditKind>& edit_kinds();
[[nodiscard]] std::vector<EditKind> kinds_of_indices();
[[nodiscard]] std::vector<EditKind> kinds_of_arithmetic();
[[nodiscard]] std::vector<EditKind> kinds_of_host();
[[nodiscard]] std::vector<EditKind> kinds_of_loops();
[[nodiscard]] std::vector<EditKind> kinds_of_sizes();
[[nodiscard]] std::vector<EditKind> kinds_of_statements();

constexpr int last_stage = 4;  // one mistake at several places

struct Edit {
    std::string kind{}, phrase{};
    int stage = 1;
    unsigned line = 0;     // of the mistake
    unsigned loops = 0;    // around it
    std::size_t size = 0;  // bytes that differ: of two edits the smaller one is the likelier cause
    std::vector<Replacement> replacements{};
};

// Source text with the edit's replacements.
[[nodiscard]] std::string edited(std::string_view source, const Edit& edit);

// A kernel that is edited, and the names that are visible in it.
class Subject {
public:
    Subject(std::string_view source, const Function& function);

    [[nodiscard]] std::string_view source() const { return source_; }
    [[nodiscard]] const Function& function() const { return function_; }
    // All nodes of the body, in the order of the source.
    [[nodiscard]] const std::vector<const Node*>& nodes() const { return nodes_; }
    [[nodiscard]] std::string text(const Node& node) const { return std::string(source_.substr(node.begin, node.end - node.begin)); }
    // The same as one operand of a product: in parentheses where it has operators.
    [[nodiscard]] std::string operand(const Node& node) const;

    // The byte of the source at which a part of its text begins.
    [[nodiscard]] std::size_t place_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - source_.data()); }

    // Sizes that are the same for every thread: integer parameters, integer template arguments, constants of the file.
    [[nodiscard]] const std::vector<std::string>& sizes() const { return sizes_; }
    // Integer variables that are visible at a byte of the source.
    [[nodiscard]] std::vector<std::string> indices_at(std::size_t byte) const;
    // Parameters that are pointers.
    [[nodiscard]] const std::vector<std::string>& pointers() const { return pointers_; }
    // Variables of the body; `visible_at`: those that a statement at this byte can name.
    [[nodiscard]] std::vector<const Node*> variables_at(std::size_t byte) const;
    [[nodiscard]] bool uses_shared_memory() const { return uses_shared_memory_; }

private:
    std::string_view source_;
    const Function& function_;
    std::vector<const Node*> nodes_;
    std::vector<std::string> sizes_, pointers_;
    bool uses_shared_memory_ = false;
};

// All edits of a kernel, by stages and rows; no two with the same text, and none with the original's.
[[nodiscard]] std::vector<Edit> edits_of(const Subject& subject);

// Helpers of the rows.
[[nodiscard]] Replacement replaced(const Node& node, std::string text);
[[nodiscard]] Replacement inserted(std::size_t at, std::string text);
// An operator exchanged for another one.
[[nodiscard]] Replacement operator_replaced(const Node& node, std::string text);
// The statement that holds a node.
[[nodiscard]] const Node& statement_of(const Node& node);
// Whether a node is the target of an assignment or of ++ and --.
[[nodiscard]] bool is_target(const Node& node);
// Whether a node lies in an array's index, the innermost first; null if in none.
[[nodiscard]] const Node* index_around(const Node& node);
// "load" or "store" for a subscript.
[[nodiscard]] std::string_view access_word(const Node& subscript);
// Whether a node lies in the size of an array.
[[nodiscard]] bool is_in_array_size(const Node& node);
// Integer type of one element.
[[nodiscard]] bool is_integer(const Node& variable);
// An index that is computed ahead: int row = ...
[[nodiscard]] bool is_index_variable(const Node& node);
// A size that is the same for every thread, also of a block or the grid.
[[nodiscard]] bool is_size(const Subject& subject, const Node& node);
// blockIdx.x, .y or .z
[[nodiscard]] bool is_block_index(const Node& node);
// Sizes that a kernel is given, and the sides of its block.
[[nodiscard]] std::vector<std::string> sizes_and_sides(const Subject& subject);

}  // namespace lab::repair
