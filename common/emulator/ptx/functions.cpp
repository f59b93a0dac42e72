// Functions and kernels: heads, bodies, scopes, label tables. Source: PTX ISA 5.1.6 (parameters), 7 (ABI), 11.2 to 11.5.
#include <algorithm>

#include "common/emulator/ptx/parser.h"
#include "common/emulator/ptx/types.h"

namespace lab::ptx {

namespace {
constexpr std::uint64_t largest_parameter = std::uint64_t{1} << 20;
constexpr std::uint64_t thread_limit = 0xFFFF'FFFF;
}  // namespace

void Parser::parse_function(const Linkage& linkage, bool is_entry) {
    Function function;
    function.is_entry = is_entry;
    here_ = {};
    inlined_places_.clear();
    while (tokens_.accept_directive(".noreturn")) function.is_noreturn = true;
    std::uint32_t unused = 0;
    if (tokens_.at('(')) function.results = parse_parameters(unused);
    const Token name = tokens_.expect_kind(TokenKind::word, "the function's name");
    function.name = std::string(name.text);
    if (is_entry && !function.results.empty()) fail_at(name.line, "the kernel " + in_quotes(name.text) + " can't return a value");
    if (tokens_.at('(')) function.parameters = parse_parameters(function.parameter_bytes);
    parse_function_attributes(function);
    const bool has_body = tokens_.at('{');
    if (!has_body) tokens_.expect(';', "or '{' after the head of a function");
    function.is_declaration = !has_body;
    if (has_body && linkage.is_extern) fail_at(name.line, "the .extern function " + in_quotes(name.text) + " has a body");
    const std::uint32_t index = declare_function(name, std::move(function), has_body);
    if (!has_body) return;
    // The body is built outside of the vector, whose elements may move.
    Function body = std::move(module_.functions[index]);
    module_.functions[index].parameters = body.parameters;  // for recursive calls
    module_.functions[index].results = body.results;
    parse_body(body);
    module_.functions[index] = std::move(body);
}

std::vector<Parameter> Parser::parse_parameters(std::uint32_t& total_bytes) {
    std::vector<Parameter> parameters;
    tokens_.expect('(', "before the parameters");
    std::uint64_t offset = 0;
    while (!tokens_.at(')')) {
        if (tokens_.at_directive(".reg")) tokens_.fail("parameters in registers are not supported; declare them .param");
        if (!tokens_.accept_directive(".param")) tokens_.fail_expected("a .param declaration");
        Declarator declarator = parse_type();
        parse_name(declarator);
        finish_size(declarator, largest_parameter);
        offset = (offset + declarator.align - 1) / declarator.align * declarator.align;
        Parameter parameter{std::string(declarator.name.text), declarator.type, static_cast<std::uint32_t>(declarator.size),
                            declarator.align, static_cast<std::uint32_t>(offset)};
        parameters.push_back(std::move(parameter));
        offset += declarator.size;
        if (offset > largest_parameter) tokens_.fail("the parameters take more than 1 MiB");
        if (!tokens_.accept(',') && !tokens_.at(')')) tokens_.fail_expected("',' or ')' after a parameter");
    }
    tokens_.expect(')', "after the parameters");
    total_bytes = static_cast<std::uint32_t>(offset);
    return parameters;
}

// .ptr [.space] [.align N]: attributes of the pointee, unused here.
void Parser::skip_parameter_attributes(Declarator&) {
    if (tokens_.at(TokenKind::directive) && space_named(tokens_.peek().text)) tokens_.take();
    if (tokens_.accept_directive(".align")) tokens_.expect_kind(TokenKind::number, "an alignment");
}

std::array<std::uint32_t, 3> Parser::parse_up_to_three(std::string_view what) {
    std::array<std::uint32_t, 3> values{1, 1, 1};
    std::size_t i = 0;
    do {
        if (i == values.size()) tokens_.fail("more than three numbers for " + std::string(what));
        values[i++] = static_cast<std::uint32_t>(tokens_.expect_integer(what, thread_limit));
    } while (tokens_.accept(','));
    return values;
}

void Parser::parse_function_attributes(Function& function) {
    while (tokens_.at(TokenKind::directive)) {
        const Token attribute = tokens_.take();
        if (attribute.text == ".maxntid") {
            function.max_threads = parse_up_to_three("the largest block");
        } else if (attribute.text == ".reqntid") {
            function.required_threads = parse_up_to_three("the block's shape");
        } else if (attribute.text == ".noreturn") {
            function.is_noreturn = true;
        } else if (attribute.text == ".pragma") {
            tokens_.expect_kind(TokenKind::string, "the pragma's text");
            tokens_.accept(';');
        } else {
            // .minnctapersm, .maxnreg, clusters and what later versions add: hints to ptxas.
            while (tokens_.at(TokenKind::number) || tokens_.at(',')) tokens_.take();
        }
    }
}

std::uint32_t Parser::declare_function(const Token& name, Function&& function, bool has_body) {
    const auto next = static_cast<std::uint32_t>(module_.functions.size());
    const auto [entry, added] = names_.try_emplace(name.text, Symbol{Operand::SymbolKind::function, next, 1});
    if (added) {
        module_.functions.push_back(std::move(function));
        return next;
    }
    if (entry->second.kind != Operand::SymbolKind::function)
        fail_at(name.line, in_quotes(name.text) + " was declared before as a variable");
    Function& known = module_.functions[entry->second.index];
    if (known.parameters.size() != function.parameters.size() || known.results.size() != function.results.size()) {
        fail_at(name.line, "the function " + in_quotes(name.text) + " was declared before with other parameters");
    }
    known.is_noreturn = known.is_noreturn || function.is_noreturn;
    if (!has_body) return entry->second.index;
    if (!known.is_declaration) fail_at(name.line, "the function " + in_quotes(name.text) + " is defined twice");
    function.is_noreturn = known.is_noreturn;
    known = std::move(function);
    return entry->second.index;
}

void Parser::parse_body(Function& function) {
    const std::uint32_t line = tokens_.peek().line;
    ScopeStack scopes(function);
    function_ = &function;
    scopes_ = &scopes;
    const auto declare_all = [&](const std::vector<Parameter>& parameters, Operand::SymbolKind kind) {
        for (std::uint32_t i = 0; i < parameters.size(); ++i) {
            scopes.declare({TokenKind::word, parameters[i].name, line}, {kind, i, 1});
        }
    };
    declare_all(function.parameters, Operand::SymbolKind::parameter);
    declare_all(function.results, Operand::SymbolKind::return_parameter);
    tokens_.expect('{', "before the body");
    scopes.open(line);
    while (scopes.depth() > 1) {
        if (tokens_.at_end()) fail_at(line, "the body of " + in_quotes(function.name) + " is never closed");
        parse_statement(function);
    }
    scopes.finish();
    function_ = nullptr;
    scopes_ = nullptr;
}

void Parser::parse_statement(Function& function) {
    if (tokens_.accept(';')) return;
    if (tokens_.at('{')) return scopes_->open(tokens_.take().line);
    if (tokens_.accept('}')) return scopes_->close();
    if (tokens_.at(TokenKind::directive)) return parse_body_directive(function);
    parse_instruction(function);
}

void Parser::parse_body_directive(Function& function) {
    const std::string_view name = tokens_.peek().text;
    if (name == ".reg") return parse_registers();
    if (name == ".loc") return parse_location();
    if (name == ".file") return parse_file();
    if (name == ".section") return parse_section();
    if (name == ".pragma") return skip_statement();
    if (space_named(name)) return parse_function_variable();
    tokens_.fail("there is no directive " + in_quotes(name) + " inside a function such as " + in_quotes(function.name));
}

// NAME: .branchtargets L1, L2;   NAME: .callprototype (...) _ (...);   NAME: .calltargets f, g;
bool Parser::parse_label_table(Function& function, const Token& name) {
    const auto index = static_cast<std::uint32_t>(function.label_tables.size());
    if (tokens_.accept_directive(".branchtargets")) {
        function.label_tables.push_back({std::string(name.text), {}});
        do {
            const Token label = tokens_.expect_kind(TokenKind::word, "a label");
            auto& targets = function.label_tables.back().targets;
            scopes_->refer_to_label_from_table(label, index, static_cast<std::uint32_t>(targets.size()));
            targets.push_back(0);
        } while (tokens_.accept(','));
        tokens_.expect(';', "after the branch targets");
    } else if (tokens_.accept_directive(".callprototype")) {
        function.label_tables.push_back({std::string(name.text), {}});
        std::uint32_t unused = 0;
        if (tokens_.at('(')) static_cast<void>(parse_parameters(unused));
        tokens_.expect_kind(TokenKind::word, "'_' in place of the function's name");
        if (tokens_.at('(')) static_cast<void>(parse_parameters(unused));
        skip_statement();
    } else if (tokens_.at_directive(".calltargets")) {
        function.label_tables.push_back({std::string(name.text), {}});
        skip_statement();
    } else {
        return false;
    }
    scopes_->declare(name, {Operand::SymbolKind::label_table, index, 1});
    return true;
}

}  // namespace lab::ptx
