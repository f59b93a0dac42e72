// Module level: directives outside of functions, and source locations. Source: PTX ISA 11.
#include <algorithm>

#include "common/emulator/ptx/cfg.h"
#include "common/emulator/ptx/parser.h"
#include "common/emulator/ptx/places.h"

namespace lab::ptx {

namespace {
constexpr std::uint64_t max_files = 65535;
constexpr std::uint64_t longest_line = 0xFFFF'FFFF;
}  // namespace

Module parse(std::string_view text) { return Parser(text).parse_module(); }

Module Parser::parse_module() {
    module_.files.emplace_back();
    parse_version();
    while (!tokens_.at_end()) parse_module_item();
    if (module_.target.empty()) tokens_.fail("there is no .target directive; a PTX file names its GPU as in '.target sm_70'");
    resolve_aliases();
    check_relocations();
    check_constants();
    place_moved_code(module_);
    place_library_code(module_);
    for (Function& function : module_.functions) analyse_control_flow(module_, function);
    return std::move(module_);
}

void Parser::parse_module_item() {
    if (tokens_.accept(';')) return;
    if (!tokens_.at(TokenKind::directive)) tokens_.fail_expected("a directive such as .entry or .global");
    const std::string_view name = tokens_.peek().text;
    if (name == ".version") return parse_version();
    if (name == ".target") return parse_target();
    if (name == ".file") return parse_file();
    if (name == ".loc") return parse_location();
    if (name == ".section") return parse_section();
    if (name == ".alias") return parse_alias();
    if (name == ".pragma") return skip_statement();
    if (tokens_.accept_directive(".address_size")) {
        const std::uint64_t bits = tokens_.expect_integer("the address size", 64);
        if (bits != 64) tokens_.fail("only 64-bit addresses are supported: compile with -m64");
        return;
    }
    const Linkage linkage = parse_linkage();
    if (tokens_.accept_directive(".entry")) return parse_function(linkage, true);
    if (tokens_.accept_directive(".func")) return parse_function(linkage, false);
    parse_module_variable(linkage);
}

void Parser::parse_version() {
    if (!tokens_.accept_directive(".version")) tokens_.fail_expected("a .version directive: every PTX file starts with one");
    module_.version = std::string(tokens_.expect_kind(TokenKind::number, "a version such as 6.0").text);
}

void Parser::parse_target() {
    tokens_.take();
    module_.target = std::string(tokens_.expect_kind(TokenKind::word, "a target such as sm_70").text);
    while (tokens_.accept(',')) tokens_.expect_kind(TokenKind::word, "a target option");
}

// .file NUMBER "NAME" [, TIME, SIZE], or with a folder first and a checksum after, as DWARF 5 has it.
void Parser::parse_file() {
    tokens_.take();
    const std::uint64_t number = tokens_.expect_integer("the file's number", max_files);
    std::string name(tokens_.expect_kind(TokenKind::string, "the file's name").text);
    if (tokens_.at(TokenKind::string)) {
        const std::string_view inner = tokens_.take().text;
        name = inner.starts_with('/') ? std::string(inner) : name + "/" + std::string(inner);
    }
    if (tokens_.accept_word("md5")) tokens_.expect_kind(TokenKind::number, "a checksum");
    if (tokens_.accept_word("source")) tokens_.expect_kind(TokenKind::string, "the source");
    while (tokens_.accept(',')) tokens_.expect_kind(TokenKind::number, "the file's time or size");
    if (number == 0) return;  // index 0 stands for "unknown"
    if (number >= module_.files.size()) module_.files.resize(number + 1);
    module_.files[number] = std::move(name);
}

Location Parser::parse_place() {
    Location place{.file = static_cast<std::uint32_t>(tokens_.expect_integer("a file's number", max_files)),
                   .line = static_cast<std::uint32_t>(tokens_.expect_integer("a line", longest_line)),
                   .column = static_cast<std::uint32_t>(tokens_.expect_integer("a column", longest_line))};
    return place;
}

// .loc FILE LINE COLUMN [, function_name LABEL [+ OFFSET]] [, inlined_at FILE LINE COLUMN]
void Parser::parse_location() {
    tokens_.take();
    Location place = parse_place();
    while (tokens_.accept(',')) {
        if (tokens_.accept_word("function_name")) {
            if (!tokens_.at(TokenKind::word) && !tokens_.at(TokenKind::directive)) tokens_.fail_expected("a label of the debug section");
            tokens_.take();
            if (tokens_.accept('+')) tokens_.expect_kind(TokenKind::number, "an offset");
        } else if (tokens_.accept_word("inlined_at")) {
            const Location site = parse_place();
            // An inlined call site had its own .loc before.
            const auto known = inlined_places_.find({site.file, site.line, site.column});
            place.inlined_at = known != inlined_places_.end() ? known->second : call_site(site);
        } else {
            tokens_.fail_expected("function_name or inlined_at");
        }
    }
    if (place.inlined_at >= 0 && function_ != nullptr) {
        inlined_places_[{place.file, place.line, place.column}] = call_site(place);
    }
    here_ = place;
    if (function_ != nullptr && function_->where.line == 0) function_->where = place;
}

std::int32_t Parser::call_site(const Location& place) {
    const auto next = static_cast<std::int32_t>(module_.locations.size());
    const auto [entry, added] = call_sites_.try_emplace({place.file, place.line, place.column, place.inlined_at}, next);
    if (added) module_.locations.push_back(place);
    return entry->second;
}

// Debug sections hold data for a debugger alone.
void Parser::parse_section() {
    tokens_.take();
    const std::uint32_t line = tokens_.peek().line;
    tokens_.expect_kind(TokenKind::directive, "the section's name");
    tokens_.expect('{', "at the start of the section");
    while (!tokens_.at('}')) {
        if (tokens_.at_end()) fail_at(line, "this .section is never closed");
        tokens_.take();
    }
    tokens_.take();
}

void Parser::parse_alias() {
    tokens_.take();
    const Token alias = tokens_.expect_kind(TokenKind::word, "the alias' name");
    tokens_.expect(',', "after the alias' name");
    const Token target = tokens_.expect_kind(TokenKind::word, "the function's name");
    tokens_.expect(';', "at the end of .alias");
    aliases_.emplace_back(alias, target);
}

void Parser::skip_statement() {
    const std::uint32_t line = tokens_.peek().line;
    while (!tokens_.at(';')) {
        if (tokens_.at_end()) fail_at(line, "this directive has no ';'");
        tokens_.take();
    }
    tokens_.take();
}

// Replaces each use of an alias by its function.
void Parser::resolve_aliases() {
    if (aliases_.empty()) return;
    std::unordered_map<std::uint32_t, std::uint32_t> target_of;
    std::unordered_map<std::string_view, std::string_view> name_of;
    for (const auto& [alias, target] : aliases_) {
        for (const Token& name : {alias, target}) {
            const auto known = names_.find(name.text);
            if (known == names_.end() || known->second.kind != Operand::SymbolKind::function) {
                fail_at(name.line, ".alias names " + in_quotes(name.text) + ", which is no function");
            }
        }
        const std::uint32_t index = names_.at(target.text).index;
        if (module_.functions[index].is_declaration)
            fail_at(target.line, "the function " + in_quotes(target.text) + " that .alias names has no body");
        target_of[names_.at(alias.text).index] = index;
        name_of[alias.text] = target.text;
    }
    const auto redirect = [&](Operand& operand) {
        if (operand.symbol_kind != Operand::SymbolKind::function) return;
        const auto target = target_of.find(operand.index);
        if (target != target_of.end()) operand.index = target->second;
    };
    for (Function& function : module_.functions) {
        for (Instruction& instruction : function.body) std::ranges::for_each(instruction.operands, redirect);
    }
    for (Variable& variable : module_.variables) {
        for (Variable::Relocation& relocation : variable.relocations) {
            const auto target = name_of.find(relocation.symbol);
            if (target != name_of.end()) relocation.symbol = std::string(target->second);
        }
    }
}

void Parser::check_relocations() {
    for (const Variable& variable : module_.variables) {
        for (const Variable::Relocation& relocation : variable.relocations) {
            const auto known = names_.find(relocation.symbol);
            if (known == names_.end()) {
                throw Error("PTX: the initial value of " + in_quotes(variable.name) + " holds the address of " +
                            in_quotes(relocation.symbol) + ", which is declared nowhere");
            }
            if (known->second.kind == Operand::SymbolKind::module_variable &&
                module_.variables[known->second.index].space == Space::shared) {
                throw Error("PTX: the initial value of " + in_quotes(variable.name) + " holds the address of " +
                            in_quotes(relocation.symbol) + ", which is in shared memory and has no address before a launch");
            }
        }
    }
}

void Parser::check_constants() {
    // PTX ISA, "State Spaces", Constant State Space: 64 KB in all. ptxas rejects more.
    constexpr std::uint64_t max_bytes = 65536;
    std::vector<bool> is_used(module_.variables.size());
    const auto mark = [&](const Operand& operand) {
        if (operand.symbol_kind == Operand::SymbolKind::module_variable) is_used[operand.index] = true;
    };
    for (const Function& function : module_.functions) {
        for (const Instruction& instruction : function.body) std::ranges::for_each(instruction.operands, mark);
    }
    std::uint64_t bytes = 0;
    std::string names;
    for (std::size_t i = 0; i < module_.variables.size(); ++i) {
        const Variable& variable = module_.variables[i];
        // clang also emits the host's constants; these have a value, and no kernel uses them.
        if (variable.space != Space::constant || (!is_used[i] && !variable.initial.empty())) continue;
        bytes += variable.size;
        names += (names.empty() ? "" : ", ") + variable.name;
    }
    if (bytes > max_bytes) {
        throw Error(std::to_string(bytes) + " bytes of __constant__ memory (" + names + "): a device has " + std::to_string(max_bytes));
    }
}

}  // namespace lab::ptx
