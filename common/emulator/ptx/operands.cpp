// Operands. Source: PTX ISA 6.
#include "common/emulator/ptx/parser.h"
#include "common/emulator/ptx/types.h"

namespace lab::ptx {

namespace {
constexpr int deepest_operand = 8;  // {a, {b, c}}: compilers nest once
}

std::optional<Symbol> Parser::find_symbol(std::string_view name) {
    if (auto symbol = scopes_->find(name)) return symbol;
    const auto entry = names_.find(name);
    return entry == names_.end() ? std::nullopt : std::optional(entry->second);
}

void Parser::parse_operands(Function& function, Instruction& instruction) {
    if (tokens_.at(';')) return;
    const bool is_branch = instruction.opcode() == Opcode::bra;
    do {
        if (is_branch) {
            const Token label = tokens_.expect_kind(TokenKind::word, "a label");
            Operand operand;
            operand.kind = Operand::Kind::label;
            scopes_->refer_to_label(label, static_cast<std::uint32_t>(function.body.size()),
                                    static_cast<std::uint32_t>(instruction.operands.size()));
            instruction.operands.push_back(std::move(operand));
        } else {
            instruction.operands.push_back(parse_operand(0));
            // setp's p|q and shfl's d|p: two results.
            if (tokens_.accept('|')) instruction.operands.push_back(parse_operand(0));
        }
    } while (tokens_.accept(','));
}

Operand Parser::parse_operand(int depth) {
    if (depth > deepest_operand) tokens_.fail("operands nest deeper than " + std::to_string(deepest_operand));
    if (tokens_.at('[')) return parse_memory(depth);
    if (tokens_.at('{')) return parse_vector(depth);
    if (tokens_.at(TokenKind::number)) return parse_number(false);
    if (tokens_.at('-') || tokens_.at('!')) {
        const bool minus = tokens_.take().text == "-";
        if (minus && tokens_.at(TokenKind::number)) return parse_number(true);
        const Token name = tokens_.expect_kind(TokenKind::word, minus ? "a number or a register after '-'" : "a register after '!'");
        Operand operand = name_operand(name);
        if (operand.kind != Operand::Kind::reg) fail_at(name.line, in_quotes(name.text) + " is not a register: it can't be negated");
        operand.negated = true;
        return operand;
    }
    if (!tokens_.at(TokenKind::word)) tokens_.fail_expected("an operand");
    const Token name = tokens_.take();
    Operand operand = name_operand(name);
    if (operand.kind == Operand::Kind::symbol) operand.offset = parse_offset();
    return operand;
}

Operand Parser::parse_number(bool negative) {
    Literal literal = parse_literal(tokens_.take());
    if (negative) literal = negate(literal);
    Operand operand{.kind = literal.kind, .bits = literal.bits};
    return operand;
}

// Any number of +4, -4 or +-4, added up.
std::int64_t Parser::parse_offset() {
    std::uint64_t sum = 0;
    while (tokens_.at('+') || tokens_.at('-')) {
        bool negative = tokens_.take().text == "-";
        if (tokens_.accept('-')) negative = !negative;
        const Literal literal = parse_literal(tokens_.expect_kind(TokenKind::number, "a number as offset"));
        if (literal.kind != Operand::Kind::integer) tokens_.fail("an offset must be a whole number");
        sum += negative ? 0 - literal.bits : literal.bits;
    }
    return static_cast<std::int64_t>(sum);
}

// [register + 4], [name + 4], [16]; for textures and tensors also [name, {x, y}].
Operand Parser::parse_memory(int depth) {
    tokens_.expect('[', "");
    Operand memory;
    if (tokens_.at(TokenKind::number)) {
        const Literal literal = parse_literal(tokens_.take());
        if (literal.kind != Operand::Kind::integer) tokens_.fail("an address must be a whole number");
        memory.offset = static_cast<std::int64_t>(literal.bits);
    } else {
        const Token name = tokens_.expect_kind(TokenKind::word, "a register or a name as address");
        const Operand base = name_operand(name);
        if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::symbol)
            fail_at(name.line, in_quotes(name.text) + " can't be an address");
        memory.has_register = base.kind == Operand::Kind::reg;
        memory.reg = base.reg;
        memory.symbol_kind = base.symbol_kind;
        memory.index = base.index;
    }
    memory.kind = Operand::Kind::memory;
    memory.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(memory.offset) + static_cast<std::uint64_t>(parse_offset()));
    while (tokens_.accept(',')) memory.elements.push_back(parse_operand(depth + 1));
    tokens_.expect(']', "after the address");
    return memory;
}

Operand Parser::parse_vector(int depth) {
    tokens_.expect('{', "");
    Operand vector;
    vector.kind = Operand::Kind::vector;
    do {
        vector.elements.push_back(parse_operand(depth + 1));
    } while (tokens_.accept(','));
    tokens_.expect('}', "after the elements");
    return vector;
}

Operand Parser::register_operand(const Token& name, const Symbol& symbol) const {
    Operand operand;
    if (symbol.lanes == 1) {
        operand.kind = Operand::Kind::reg;
        operand.reg = symbol.index;
        return operand;
    }
    operand.kind = Operand::Kind::vector;
    for (std::uint32_t lane = 0; lane < symbol.lanes; ++lane) {
        operand.elements.push_back(register_operand(name, {Operand::SymbolKind::none, symbol.index + lane, 1}));
    }
    return operand;
}

Operand Parser::name_operand(const Token& name) {
    Operand operand;
    if (name.text == "_") return operand;
    const auto symbol = find_symbol(name.text);
    if (symbol && symbol->is_register()) return register_operand(name, *symbol);
    if (symbol) {
        operand.kind = Operand::Kind::symbol;
        operand.symbol_kind = symbol->kind;
        operand.index = symbol->index;
        return operand;
    }
    const auto special = special_register_named(name.text);
    if (!special)
        fail_at(name.line, "the name " + in_quotes(name.text) + " is not declared here; names must be declared before they are used");
    operand.kind = Operand::Kind::special;
    operand.special = *special;
    return operand;
}

}  // namespace lab::ptx
