#include <fmt/format.h>

#include <cstring>

#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/windows.h"

namespace lab::machine {

struct LoadedModule::Parts {
    ptx::Module module;
    Placement placement;
    std::unordered_map<std::string, Symbol> symbols;
    std::unordered_map<std::string, std::unique_ptr<KernelCode>> kernels;
};

namespace {

std::uint64_t address_of(const ptx::Module& module, const std::unordered_map<std::string, LoadedModule::Symbol>& symbols,
                         const std::string& name) {
    const auto variable = symbols.find(name);
    if (variable != symbols.end()) return variable->second.address;
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
        if (module.functions[i].name == name) return function_address(i);
    }
    return 0;  // an undefined weak symbol
}

void place_variables(const ptx::Module& module, Memory& memory, Placement& placement,
                     std::unordered_map<std::string, LoadedModule::Symbol>& symbols) {
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
        if (variable.is_extern && variable.initial.empty() && variable.size == 0) continue;
        const AllocationKind kind = variable.space == ptx::Space::constant ? AllocationKind::constant : AllocationKind::global;
        const std::uint64_t size = variable.size == 0 ? 1 : variable.size;
        const std::uint64_t address = memory.allocate(size, kind, variable.name);
        if (address == 0) throw ptx::Error(fmt::format("variable '{}' of {} bytes does not fit into device memory", variable.name, size));
        std::byte* host = memory.host(address, size);
        std::memset(host, 0, size);
        if (!variable.initial.empty()) std::memcpy(host, variable.initial.data(), variable.initial.size());
        placement.addresses[i] = address;
        symbols[variable.name] = {address, size};
    }
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        for (const auto& relocation : variable.relocations) {
            const std::uint64_t value = address_of(module, symbols, relocation.symbol) + static_cast<std::uint64_t>(relocation.addend);
            const std::uint64_t room = variable.size - relocation.offset;
            std::memcpy(memory.host(placement.addresses.at(i), variable.size) + relocation.offset, &value, room < 8 ? room : 8);
        }
    }
}

}  // namespace

LoadedModule::LoadedModule(ptx::Module module, Memory& memory, const KernelAnalysis* analysis) : parts_(std::make_unique<Parts>()) {
    parts_->module = std::move(module);
    place_variables(parts_->module, memory, parts_->placement, parts_->symbols);
    for (std::uint32_t i = 0; i < parts_->module.functions.size(); ++i) {
        const ptx::Function& function = parts_->module.functions[i];
        if (!function.is_entry || function.is_declaration) continue;
        KernelDecoder decoder(parts_->module, parts_->placement, analysis);
        parts_->kernels[function.name] = decoder.decode(i);
    }
}

LoadedModule::~LoadedModule() = default;

const LoadedModule::KernelInfo* LoadedModule::kernel(const std::string& mangled_name) const {
    const KernelCode* found = code(mangled_name);
    return found == nullptr ? nullptr : &found->info;
}

std::optional<LoadedModule::Symbol> LoadedModule::symbol(const std::string& name) const {
    const auto found = parts_->symbols.find(name);
    if (found == parts_->symbols.end()) return std::nullopt;
    return found->second;
}

const KernelCode* LoadedModule::code(const std::string& mangled_name) const {
    const auto found = parts_->kernels.find(mangled_name);
    return found == parts_->kernels.end() ? nullptr : found->second.get();
}

const ptx::Module& LoadedModule::source() const { return parts_->module; }

}  // namespace lab::machine
