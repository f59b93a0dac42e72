// Declarations of variables and registers. Source: PTX ISA 5.4.
#include <bit>

#include "common/emulator/ptx/parser.h"
#include "common/emulator/ptx/types.h"

namespace lab::ptx {

namespace {
constexpr std::uint64_t largest_alignment = 1 << 16;
constexpr std::size_t max_dimensions = 16;
constexpr std::uint64_t max_registers = 0xFFFF'FFFF;
}  // namespace

Parser::Linkage Parser::parse_linkage() {
    Linkage linkage;
    for (;;) {
        if (tokens_.accept_directive(".extern")) {
            linkage.is_extern = true;
        } else if (tokens_.accept_directive(".weak") || tokens_.accept_directive(".common")) {
            linkage.is_weak = true;
        } else if (!tokens_.accept_directive(".visible")) {
            return linkage;
        }
    }
}

// [.align N] [.attribute(...)] [.v2
// .v4] .type, in any order, since compilers differ.
Parser::Declarator Parser::parse_type() {
    Declarator declarator;
    for (;;) {
        if (tokens_.accept_directive(".align")) {
            const std::uint64_t align = tokens_.expect_integer("the alignment", largest_alignment);
            if (!std::has_single_bit(align)) tokens_.fail("the alignment must be a power of two");
            declarator.align = static_cast<std::uint32_t>(align);
        } else if (tokens_.accept_directive(".attribute")) {
            tokens_.expect('(', "after .attribute");
            while (!tokens_.at(')') && !tokens_.at_end()) tokens_.take();
            tokens_.expect(')', "after the attributes");
        } else if (tokens_.accept_directive(".v2")) {
            declarator.lanes = 2;
        } else if (tokens_.accept_directive(".v4")) {
            declarator.lanes = 4;
        } else if (tokens_.accept_directive(".ptr")) {
            skip_parameter_attributes(declarator);
        } else if (tokens_.at(TokenKind::directive)) {
            const auto type = type_named(tokens_.peek().text);
            if (!type) tokens_.fail("there is no type or attribute " + in_quotes(tokens_.peek().text) + " here");
            if (declarator.type != Type::none) tokens_.fail("a second type, " + in_quotes(tokens_.peek().text));
            declarator.type = *type;
            tokens_.take();
        } else {
            break;
        }
    }
    if (declarator.type == Type::none) tokens_.fail_expected("a type such as .b32");
    return declarator;
}

void Parser::parse_name(Declarator& declarator) {
    declarator.name = tokens_.expect_kind(TokenKind::word, "a name");
    parse_extents(declarator);
}

void Parser::parse_extents(Declarator& declarator) {
    while (tokens_.accept('[')) {
        declarator.is_array = true;
        if (declarator.extents.size() == max_dimensions)
            tokens_.fail("an array of more than " + std::to_string(max_dimensions) + " dimensions");
        if (tokens_.at(']')) {
            if (!declarator.extents.empty()) tokens_.fail("only an array's first dimension may be left open");
            declarator.extents.push_back(0);
        } else {
            declarator.extents.push_back(tokens_.expect_integer("the array's length", largest_variable));
        }
        tokens_.expect(']', "after the array's length");
    }
}

void Parser::finish_size(Declarator& declarator, std::uint64_t limit) {
    std::uint64_t size = std::uint64_t{size_of(declarator.type)} * declarator.lanes;
    if (declarator.align == 0) declarator.align = static_cast<std::uint32_t>(size);
    for (const std::uint64_t extent : declarator.extents) {
        if (extent != 0 && size > limit / extent) {
            fail_at(declarator.name.line, in_quotes(declarator.name.text) + " is larger than " + std::to_string(limit) + " bytes");
        }
        size *= extent;
    }
    declarator.size = size;
}

Variable Parser::parse_variable(Space space, const Declarator& type, Declarator& declarator) {
    declarator = type;
    parse_name(declarator);
    finish_size(declarator, largest_variable);
    Variable variable{.name = std::string(declarator.name.text),
                      .space = space,
                      .type = declarator.type,
                      .size = declarator.size,
                      .align = declarator.align};
    if (tokens_.accept('=')) {
        if (space != Space::global && space != Space::constant) tokens_.fail("only .global and .const variables can have an initial value");
        parse_initialiser(variable, declarator);
    }
    return variable;
}

void Parser::parse_module_variable(const Linkage& linkage) {
    const auto space = tokens_.at(TokenKind::directive) ? space_named(tokens_.peek().text) : std::nullopt;
    if (!space || *space == Space::param) tokens_.fail_expected("a declaration: .entry, .func, .global, .const or .shared");
    tokens_.take();
    const Declarator type = parse_type();
    do {
        Declarator declarator;
        Variable variable = parse_variable(*space, type, declarator);
        add_module_variable(declarator.name, std::move(variable), linkage);
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the declaration");
}

void Parser::add_module_variable(const Token& name, Variable variable, const Linkage& linkage) {
    variable.is_extern = linkage.is_extern;
    const auto next = static_cast<std::uint32_t>(module_.variables.size());
    const auto [entry, added] = names_.try_emplace(name.text, Symbol{Operand::SymbolKind::module_variable, next, 1});
    if (added) {
        module_.variables.push_back(std::move(variable));
        return;
    }
    const bool is_variable = entry->second.kind == Operand::SymbolKind::module_variable;
    if (!is_variable || module_.variables[entry->second.index].space != variable.space) {
        fail_at(name.line, in_quotes(name.text) + " was declared before as something else");
    }
    Variable& known = module_.variables[entry->second.index];
    if (linkage.is_extern) return;
    if (!known.is_extern && !linkage.is_weak) fail_at(name.line, in_quotes(name.text) + " is defined twice");
    known = std::move(variable);
}

void Parser::parse_function_variable() {
    const Space space = *space_named(tokens_.take().text);
    const Declarator type = parse_type();
    do {
        Declarator declarator;
        Variable variable = parse_variable(space, type, declarator);
        const bool of_module = space == Space::global || space == Space::constant;
        std::vector<Variable>& owner = of_module ? module_.variables : function_->variables;
        const auto kind = of_module ? Operand::SymbolKind::module_variable : Operand::SymbolKind::function_variable;
        scopes_->declare(declarator.name, {kind, static_cast<std::uint32_t>(owner.size()), 1});
        owner.push_back(std::move(variable));
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the declaration");
}

void Parser::parse_registers() {
    tokens_.take();
    const Declarator type = parse_type();
    do {
        const Token name = tokens_.expect_kind(TokenKind::word, "a register's name");
        if (tokens_.accept('<')) {
            if (type.lanes != 1) tokens_.fail("a numbered range of vector registers is not supported");
            scopes_->declare_registers(name, type.type, tokens_.expect_integer("the number of registers", max_registers));
            tokens_.expect('>', "after the number of registers");
        } else {
            scopes_->declare_register(name, type.type, type.lanes);
        }
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the registers");
}

}  // namespace lab::ptx
