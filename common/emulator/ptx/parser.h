// The parser, one class whose members are spread over files by subject: directives.cpp (module level, .file, .loc), variables.cpp,
// initialiser.cpp, functions.cpp, instructions.cpp, operands.cpp. Not for use outside this folder: module.h is the interface.
#pragma once

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "common/emulator/ptx/lexer.h"
#include "common/emulator/ptx/module.h"
#include "common/emulator/ptx/scope.h"

namespace lab::ptx {

inline constexpr std::uint64_t largest_variable = std::uint64_t{1} << 30;  // bytes

class Parser {
public:
    explicit Parser(std::string_view text) : tokens_(text) {}
    Module parse_module();

private:
    // Linkage of a variable, parameter or function.
    struct Linkage {
        bool is_extern = false;
        bool is_weak = false;
    };
    // ".align 4 .b8 name[2][3]": a declaration without its space and value.
    struct Declarator {
        Token name;
        Type type = Type::none;
        std::uint32_t lanes = 1;
        std::uint32_t align = 0;
        std::vector<std::uint64_t> extents;  // of an array, outermost first; 0 for []
        bool is_array = false;
        std::uint64_t size = 0;
    };
    // A value inside an initialiser, before its conversion to bytes.
    struct InitialValue {
        Literal literal;
        std::string_view symbol;  // empty: a number
        std::int64_t addend = 0;
        bool generic = false;
        std::uint64_t mask = ~std::uint64_t{0};
        std::uint32_t line = 0;
    };

    // directives.cpp
    void parse_module_item();
    void parse_version();
    void parse_target();
    void parse_file();
    void parse_location();
    Location parse_place();
    void parse_section();
    void parse_alias();
    void skip_statement();
    std::int32_t call_site(const Location& place);
    void check_relocations();
    void check_constants();
    void resolve_aliases();

    // variables.cpp
    Linkage parse_linkage();
    void parse_module_variable(const Linkage& linkage);
    void parse_function_variable();
    void parse_registers();
    Declarator parse_type();
    void parse_name(Declarator& declarator);
    void parse_extents(Declarator& declarator);
    void finish_size(Declarator& declarator, std::uint64_t limit);
    Variable parse_variable(Space space, const Declarator& type, Declarator& declarator);
    void add_module_variable(const Token& name, Variable variable, const Linkage& linkage);

    // initialiser.cpp
    void parse_initialiser(Variable& variable, Declarator& declarator);
    void parse_elements(Variable& variable, const Declarator& declarator, std::size_t level, std::uint64_t begin, std::uint64_t end);
    InitialValue parse_initial_value();
    void parse_symbol_address(InitialValue& value);
    void store(Variable& variable, const Declarator& declarator, std::uint64_t offset, const InitialValue& value);
    void store_mask(Variable& variable, std::uint64_t offset, const InitialValue& value);

    // functions.cpp
    void parse_function(const Linkage& linkage, bool is_entry);
    std::vector<Parameter> parse_parameters(std::uint32_t& total_bytes);
    void skip_parameter_attributes(Declarator& declarator);
    void parse_function_attributes(Function& function);
    std::array<std::uint32_t, 3> parse_up_to_three(std::string_view what);
    std::uint32_t declare_function(const Token& name, Function&& function, bool has_body);
    void parse_body(Function& function);
    void parse_statement(Function& function);
    void parse_body_directive(Function& function);
    bool parse_label_table(Function& function, const Token& name);

    // instructions.cpp
    void parse_instruction(Function& function);
    void check_structure(const Instruction& instruction) const;
    void parse_call(Instruction& instruction);
    Operand parse_call_list(bool results);
    void check_call(const Instruction& instruction) const;

    // operands.cpp
    Operand parse_operand(int depth);
    Operand parse_number(bool negative);
    Operand parse_memory(int depth);
    Operand parse_vector(int depth);
    Operand name_operand(const Token& name);
    Operand register_operand(const Token& name, const Symbol& symbol) const;
    std::int64_t parse_offset();
    void parse_operands(Function& function, Instruction& instruction);
    [[nodiscard]] std::optional<Symbol> find_symbol(std::string_view name);

    TokenStream tokens_;
    Module module_;
    std::unordered_map<std::string_view, Symbol> names_;  // of the module
    std::uint64_t initial_bytes_ = 0;                     // in all initialisers
    std::uint64_t masked_bytes_ = 0;                      // bytes so far of an address given byte by byte
    std::vector<std::pair<Token, Token>> aliases_;

    Function* function_ = nullptr;
    ScopeStack* scopes_ = nullptr;
    Location here_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>, std::int32_t> call_sites_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int32_t> inlined_places_;  // of this function
};

}  // namespace lab::ptx
