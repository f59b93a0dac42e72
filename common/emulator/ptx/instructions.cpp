// Instructions: guard, opcode, operands, and checks by the opcode's row. Source: PTX ISA 4.3, 9.3.
#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/ptx/parser.h"

namespace lab::ptx {

namespace {

void decode(Instruction& instruction) {
    instruction.encoding = encoding_of(instruction.text);
    for (std::size_t i = 0; i < instruction.encoding.size(); ++i) {
        const ModifierRow& row = row_of(instruction.encoding.modifiers[i]);
        if (instruction.space == Space::generic) instruction.space = row.space;
        if (row.type != Type::none) instruction.type = row.type;
        if (instruction.elements == 1) instruction.elements = row.elements;
    }
}

}  // namespace

void Parser::parse_instruction(Function& function) {
    Instruction instruction{.where = here_, .ptx_line = tokens_.peek().line};
    if (tokens_.accept('@')) {
        Guard guard;
        guard.negated = tokens_.accept('!');
        const Token name = tokens_.expect_kind(TokenKind::word, "the guard's register after '@'");
        const auto symbol = scopes_->find(name.text);
        if (!symbol || !symbol->is_register() || function.registers[symbol->index].type != Type::pred) {
            fail_at(name.line, "the guard " + in_quotes(name.text) + " is not a register declared .pred");
        }
        guard.reg = symbol->index;
        instruction.guard = guard;
    }
    const Token opcode = tokens_.expect_kind(TokenKind::word, "an instruction, a label or a directive");
    if (tokens_.at(':') && !instruction.guard) {
        tokens_.take();
        if (!parse_label_table(function, opcode)) scopes_->declare_label(opcode, static_cast<std::uint32_t>(function.body.size()));
        return;
    }
    instruction.text = std::string(opcode.text);
    decode(instruction);
    if (instruction.opcode() == Opcode::call) {
        parse_call(instruction);
    } else {
        parse_operands(function, instruction);
    }
    if (!tokens_.accept(';')) tokens_.fail_expected("';' or ',' after the operands of " + in_quotes(instruction.text));
    check_structure(instruction);
    function.body.push_back(std::move(instruction));
}

void Parser::check_structure(const Instruction& instruction) const {
    const InstructionRow& row = row_of(instruction.opcode());
    const std::vector<Operand>& operands = instruction.operands;
    if (operands.size() < row.least || operands.size() > row.most) {
        const std::string wanted =
            row.least == row.most ? std::to_string(row.least) : std::to_string(row.least) + " to " + std::to_string(row.most);
        fail_at(instruction.ptx_line,
                in_quotes(instruction.text) + " has " + std::to_string(operands.size()) + " operands; it takes " + wanted);
    }
    if (instruction.opcode() == Opcode::brx &&
        (operands[0].kind != Operand::Kind::reg || operands[1].symbol_kind != Operand::SymbolKind::label_table)) {
        fail_at(instruction.ptx_line, in_quotes(instruction.text) + " takes a register and the name of a .branchtargets list");
    }
    if (instruction.opcode() == Opcode::setp && operands[0].kind != Operand::Kind::sink &&
        (operands[0].kind != Operand::Kind::reg || function_->registers[operands[0].reg].type != Type::pred)) {
        fail_at(instruction.ptx_line, "the result of " + in_quotes(instruction.text) + " must be a register declared .pred");
    }
}

// call (results), callee, (arguments), prototype; only the callee is mandatory. Always parsed into operands list, callee, list and, if
// present, the prototype.
void Parser::parse_call(Instruction& instruction) {
    Operand results;
    results.kind = Operand::Kind::list;
    Operand arguments = results;
    if (tokens_.at('(')) {
        results = parse_call_list(true);
        tokens_.expect(',', "after the results of a call");
    }
    const Token callee = tokens_.expect_kind(TokenKind::word, "the function that is called");
    instruction.operands.push_back(std::move(results));
    instruction.operands.push_back(name_operand(callee));
    std::optional<Operand> prototype;
    if (tokens_.accept(',')) {
        if (tokens_.at('('))
            arguments = parse_call_list(false);
        else
            prototype = name_operand(tokens_.expect_kind(TokenKind::word, "arguments or a prototype"));
        if (!prototype && tokens_.accept(',')) prototype = name_operand(tokens_.expect_kind(TokenKind::word, "a prototype"));
    }
    instruction.operands.push_back(std::move(arguments));
    if (prototype) instruction.operands.push_back(std::move(*prototype));
    check_call(instruction);
}

Operand Parser::parse_call_list(bool results) {
    Operand list;
    list.kind = Operand::Kind::list;
    tokens_.expect('(', "");
    while (!tokens_.at(')')) {
        list.elements.push_back(parse_operand(1));
        const Operand& element = list.elements.back();
        if (results && element.kind != Operand::Kind::reg && element.kind != Operand::Kind::symbol && element.kind != Operand::Kind::sink) {
            tokens_.fail("a call's result goes to a register or a .param variable");
        }
        if (!tokens_.accept(',') && !tokens_.at(')')) tokens_.fail_expected("',' or ')' in the list of a call");
    }
    tokens_.expect(')', "after the list of a call");
    return list;
}

void Parser::check_call(const Instruction& instruction) const {
    const Operand& callee = instruction.operands[1];
    if (callee.kind == Operand::Kind::reg) return;
    if (callee.symbol_kind != Operand::SymbolKind::function) fail_at(instruction.ptx_line, "what this call names is not a function");
    const Function& function = module_.functions[callee.index];
    const auto check = [&](std::string_view what, std::size_t given, std::size_t wanted) {
        if (given == wanted) return;
        fail_at(instruction.ptx_line, "the call of " + in_quotes(function.name.empty() ? function_->name : function.name) + " has " +
                                          std::to_string(given) + " " + std::string(what) + "; it takes " + std::to_string(wanted));
    };
    check("results", instruction.operands[0].elements.size(), function.results.size());
    check("arguments", instruction.operands[2].elements.size(), function.parameters.size());
}

}  // namespace lab::ptx
