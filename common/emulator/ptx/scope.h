// Name lookup inside one function: nested scopes of registers, variables and labels. Source: PTX ISA 4.4, 5.4 and 7.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/emulator/ptx/lexer.h"
#include "common/emulator/ptx/module.h"

namespace lab::ptx {

// Meaning of a name. A register has no SymbolKind; `lanes` is above 1 for a vector register, whose lanes are consecutive.
struct Symbol {
    Operand::SymbolKind kind = Operand::SymbolKind::none;
    std::uint32_t index = 0;
    std::uint32_t lanes = 1;
    [[nodiscard]] bool is_register() const { return kind == Operand::SymbolKind::none; }
};

// The scopes of one function, from its parameters inwards. Names are views into the text.
class ScopeStack {
public:
    explicit ScopeStack(Function& function) : function_(function) { scopes_.emplace_back(); }

    void open(std::uint32_t line);
    // Resolves the branches to this scope's labels; unresolved ones move to the enclosing scope.
    void close();
    // Closes the outermost scope. Throws Error for a branch to an undefined label.
    void finish();
    [[nodiscard]] std::size_t depth() const { return scopes_.size(); }

    // These throw Error if the innermost scope already has the name.
    void declare(const Token& name, Symbol symbol);
    void declare_register(const Token& name, Type type, std::uint32_t lanes);
    // "%r<10>": %r0 to %r9. They become registers of the function when they are first used.
    void declare_registers(const Token& prefix, Type type, std::uint64_t count);
    void declare_label(const Token& name, std::uint32_t instruction);

    [[nodiscard]] std::optional<Symbol> find(std::string_view name);

    // Records a branch operand or an entry of a label table whose label may be defined later.
    void refer_to_label(const Token& name, std::uint32_t instruction, std::uint32_t operand);
    void refer_to_label_from_table(const Token& name, std::uint32_t table, std::uint32_t entry);

private:
    struct Range {
        std::uint64_t count = 0;
        Type type = Type::none;
    };
    struct Reference {
        Token name;
        bool from_table = false;
        std::uint32_t owner = 0;  // instruction or table
        std::uint32_t slot = 0;   // operand or entry
    };
    struct Scope {
        std::unordered_map<std::string_view, Symbol> names;
        std::unordered_map<std::string_view, Range> ranges;
        std::unordered_map<std::string_view, std::uint32_t> labels;
        std::vector<Reference> references;
    };
    std::optional<Symbol> find_in_ranges(Scope& scope, std::string_view name);
    void resolve(const Reference& reference, std::uint32_t target);
    Symbol add_register(std::string_view name, Type type);

    Function& function_;
    std::vector<Scope> scopes_;
};

}  // namespace lab::ptx
