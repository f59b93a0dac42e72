#include "common/emulator/ptx/scope.h"

#include <array>
#include <charconv>
#include <utility>

namespace lab::ptx {

namespace {
constexpr std::size_t deepest_scope = 64;   // compilers nest two or three deep
constexpr std::size_t longest_number = 10;  // digits of a register's number
}  // namespace

void ScopeStack::open(std::uint32_t line) {
    if (scopes_.size() >= deepest_scope) fail_at(line, "scopes { } nest deeper than " + std::to_string(deepest_scope));
    scopes_.emplace_back();
}

void ScopeStack::close() {
    Scope closed = std::move(scopes_.back());
    scopes_.pop_back();
    for (Reference& reference : closed.references) {
        const auto label = closed.labels.find(reference.name.text);
        if (label != closed.labels.end()) {
            resolve(reference, label->second);
        } else if (!scopes_.empty()) {
            scopes_.back().references.push_back(reference);
        } else {
            fail_at(reference.name.line, "there is no label " + in_quotes(reference.name.text) + " in this function");
        }
    }
}

void ScopeStack::finish() { close(); }

void ScopeStack::resolve(const Reference& reference, std::uint32_t target) {
    if (reference.from_table) {
        function_.label_tables[reference.owner].targets[reference.slot] = target;
    } else {
        function_.body[reference.owner].operands[reference.slot].index = target;
    }
}

void ScopeStack::declare(const Token& name, Symbol symbol) {
    if (!scopes_.back().names.try_emplace(name.text, symbol).second) {
        fail_at(name.line, "the name " + in_quotes(name.text) + " is declared twice in one scope");
    }
}

Symbol ScopeStack::add_register(std::string_view name, Type type) {
    const Symbol symbol{Operand::SymbolKind::none, static_cast<std::uint32_t>(function_.registers.size()), 1};
    function_.registers.push_back({std::string(name), type});
    return symbol;
}

void ScopeStack::declare_register(const Token& name, Type type, std::uint32_t lanes) {
    if (lanes == 1) return declare(name, add_register(name.text, type));
    const auto first = static_cast<std::uint32_t>(function_.registers.size());
    declare(name, {Operand::SymbolKind::none, first, lanes});
    constexpr std::array<std::string_view, 4> suffixes{".x", ".y", ".z", ".w"};
    for (std::uint32_t lane = 0; lane < lanes; ++lane) add_register(std::string(name.text) + std::string(suffixes[lane]), type);
}

void ScopeStack::declare_registers(const Token& prefix, Type type, std::uint64_t count) {
    if (!scopes_.back().ranges.try_emplace(prefix.text, Range{count, type}).second) {
        fail_at(prefix.line, "the registers " + in_quotes(prefix.text) + "<...> are declared twice in one scope");
    }
}

void ScopeStack::declare_label(const Token& name, std::uint32_t instruction) {
    if (!scopes_.back().labels.try_emplace(name.text, instruction).second) {
        fail_at(name.line, "the label " + in_quotes(name.text) + " is defined twice in one scope");
    }
}

std::optional<Symbol> ScopeStack::find_in_ranges(Scope& scope, std::string_view name) {
    if (scope.ranges.empty()) return std::nullopt;
    std::size_t digits = 0;
    while (digits < name.size() && digits < longest_number && name[name.size() - 1 - digits] >= '0' &&
           name[name.size() - 1 - digits] <= '9') {
        ++digits;
    }
    // "%r12" is number 12 of "%r" or number 2 of "%r1".
    for (; digits > 0; --digits) {
        const std::string_view number = name.substr(name.size() - digits);
        if (digits > 1 && number.front() == '0') continue;
        const auto range = scope.ranges.find(name.substr(0, name.size() - digits));
        if (range == scope.ranges.end()) continue;
        std::uint64_t value = 0;
        std::from_chars(number.data(), number.data() + number.size(), value);
        if (value >= range->second.count) continue;
        const Symbol symbol = add_register(name, range->second.type);
        scope.names.emplace(name, symbol);
        return symbol;
    }
    return std::nullopt;
}

std::optional<Symbol> ScopeStack::find(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto entry = scope->names.find(name);
        if (entry != scope->names.end()) return entry->second;
        if (auto symbol = find_in_ranges(*scope, name)) return symbol;
    }
    // A lane of a vector register: "%v.x".
    if (name.size() > 2 && name[name.size() - 2] == '.') {
        const std::size_t lane = std::string_view("xyzw").find(name.back());
        if (lane == std::string_view::npos) return std::nullopt;
        const auto whole = find(name.substr(0, name.size() - 2));
        if (whole && whole->is_register() && lane < whole->lanes && whole->lanes > 1) {
            return Symbol{Operand::SymbolKind::none, whole->index + static_cast<std::uint32_t>(lane), 1};
        }
    }
    return std::nullopt;
}

void ScopeStack::refer_to_label(const Token& name, std::uint32_t instruction, std::uint32_t operand) {
    scopes_.back().references.push_back({name, false, instruction, operand});
}

void ScopeStack::refer_to_label_from_table(const Token& name, std::uint32_t table, std::uint32_t entry) {
    scopes_.back().references.push_back({name, true, table, entry});
}

}  // namespace lab::ptx
