// A program's kernels and variables: PTX, and the host symbols of both.
#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "common/emulator/machine/demangle.h"
#include "common/emulator/ptx/module.h"
#include "common/emulator/server/peer.h"
#include "common/emulator/server/state.h"
#include "common/emulator/timing/kernel_analysis.h"

namespace lab::cuda {
namespace {

void carry(const Unit& unit, const Variable& variable, Carry direction) {
    const auto symbol = unit.module->symbol(variable.name);
    if (!symbol) return;
    std::byte* const device = runtime().memory->host(symbol->address, symbol->size);
    const std::uint64_t bytes = std::min(symbol->size, variable.size);
    const Rows shadow{const_cast<void*>(variable.shadow), bytes};
    if (direction == Carry::to_device) {
        peer()->copy_in(device, bytes, shadow, bytes, 1);
    } else {
        peer()->copy_out(shadow, device, bytes, bytes, 1);
    }
}

// "f(.param .u64 f_param_0)" of each kernel. Not parsed, since PTX that the machine rejects has kernels, too.
std::set<std::string> kernels_of(const std::string& ptx) {
    static const std::string entry = ".entry ";
    std::set<std::string> kernels;
    for (std::size_t at = ptx.find(entry); at != std::string::npos; at = ptx.find(entry, at + 1)) {
        std::istringstream words(ptx.substr(at + entry.size(), ptx.find(')', at) - at - entry.size()));
        std::string kernel;
        for (std::string word; words >> word;) kernel += word + " ";
        kernels.insert(kernel);
    }
    return kernels;
}

}  // namespace

void replace_kernels(const std::string& ptx) {
    const std::set<std::string> wanted = kernels_of(ptx);
    if (wanted.empty()) throw std::invalid_argument("no PTX with kernels");
    std::list<Unit>& units = runtime().units;
    const auto has_these = [&](const Unit& unit) { return kernels_of(unit.text) == wanted; };
    const auto found = std::find_if(units.begin(), units.end(), has_these);
    if (found == units.end()) throw std::invalid_argument("no part of this program has the same kernels with the same parameters");
    if (std::count_if(units.begin(), units.end(), has_these) > 1)
        throw std::invalid_argument("several parts of this program have these kernels");
    found->text = ptx;
}

Unit* unit_of_function(const void* function) {
    for (Unit& unit : runtime().units) {
        if (unit.functions.count(function) != 0) return &unit;
    }
    return nullptr;
}

FoundVariable find_variable(const void* shadow) {
    for (Unit& unit : runtime().units) {
        for (const Variable& variable : unit.variables) {
            if (variable.shadow == shadow) return {&unit, &variable};
        }
    }
    return {};
}

bool load(Unit& unit) {
    if (unit.module) return true;
    if (!unit.refusal.empty()) return false;
    try {
        unit.module = std::make_unique<machine::LoadedModule>(ptx::parse(unit.text), *runtime().memory, &timing::kernel_analysis());
    } catch (const ptx::Error& error) {
        unit.refusal = error.what();
        runtime().had_kernel_finding = true;
        say(STDERR_FILENO, std::string("This program's kernels cannot run here: ") + error.what() + "\n");
        if (runtime().explains_misuse && peer() != nullptr) peer()->exit(2);  // findings and results of such a run would mislead
        return false;
    }
    return true;
}

void carry_managed(Carry direction) {
    if (peer() == nullptr) return;  // nobody is there to read it
    for (const Unit& unit : runtime().units) {
        if (!unit.module) continue;
        for (const Variable& variable : unit.variables) {
            if (variable.is_managed) carry(unit, variable, direction);
        }
    }
}

cudaError_t report_shadow_access(const void* shadow, bool is_write) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    const auto found = find_variable(shadow);
    if (found.variable == nullptr) return cudaErrorInvalidSymbol;
    Finding finding{.kind = FindingKind::host_access,
                    .headline = std::string("your host code ") + (is_write ? "writes " : "reads ") +
                                machine::demangle(found.variable->name) +
                                (found.variable->is_constant ? ", a __constant__" : ", a __device__") +
                                " variable: that is the host's own copy, which kernels don't share; copy the value with " +
                                (is_write ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol"),
                    .is_mistake = true};
    keep(state, finding);
    return cudaSuccess;
}

cudaError_t register_unit(const std::vector<std::byte>& text) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    wire::Reader from(text);
    Unit unit;
    unit.text = from.text();
    for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
        const auto* const stub = from.get<const void*>();
        unit.functions.emplace(stub, from.text());
    }
    for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
        Variable& variable = unit.variables.emplace_back();
        variable.name = from.text();
        variable.shadow = from.get<const void*>();
        variable.size = from.get<std::uint64_t>();
        variable.is_managed = from.get<bool>();
        variable.is_constant = from.get<bool>();
    }
    // Sets managed variables to their initial values, since the host may read one before its first call of the API.
    const auto is_managed = [](const Variable& variable) { return variable.is_managed; };
    const bool has_managed = std::any_of(unit.variables.begin(), unit.variables.end(), is_managed);
    state.units.push_back(std::move(unit));
    if (has_managed && load(state.units.back())) carry_managed(Carry::to_host);
    return cudaSuccess;
}

void unload_all() {
    for (Unit& unit : runtime().units) {
        unit.module.reset();
        unit.refusal.clear();
    }
}

}  // namespace lab::cuda
