// Registrations by compiler-generated code at program start: PTX of kernels, and host symbols of kernels and variables.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <stdexcept>

#include "common/emulator/cuda/pages.h"
#include "common/emulator/cuda/state.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/ptx/module.h"
#include "common/emulator/timing/kernel_analysis.h"
#include "common/process/page_size.h"

// Names required by clang's host code and the linker. Between these the linker places the host's copies of __managed__ variables
// (include/host_defines.h), and variables that have pages of their own (shadows.ld).
extern "C" {
extern char __start_lab_shadows[] __attribute__((weak));
extern char __stop_lab_shadows[] __attribute__((weak));
extern char __start_lab_managed[] __attribute__((weak));
extern char __stop_lab_managed[] __attribute__((weak));
}

namespace lab::cuda {
namespace {

bool is_within(const void* shadow, const char* begin, const char* end) {
    const auto* const address = static_cast<const char*>(shadow);
    return begin != nullptr && address >= begin && address < end;
}

bool is_managed(const void* shadow) { return is_within(shadow, __start_lab_managed, __stop_lab_managed); }

// Pages of the host's copy of a variable; empty if they may hold anything else. A kernel never sees that copy.
PageRange shadow_pages(const Variable& variable) {
    if (!is_within(variable.shadow, __start_lab_shadows, __stop_lab_shadows)) return {};
    const auto begin = reinterpret_cast<std::uint64_t>(variable.shadow);
    return {begin, page_end(begin + variable.size), Rights::none};
}

void carry(const Unit& unit, const Variable& variable, Carry direction) {
    const auto symbol = unit.module->symbol(variable.name);
    if (!symbol) return;
    std::byte* const device = runtime().memory->host(symbol->address, symbol->size);
    const std::uint64_t bytes = std::min(symbol->size, variable.size);
    if (direction == Carry::to_device) {
        std::memcpy(device, variable.shadow, bytes);
    } else {
        std::memcpy(variable.shadow, device, bytes);
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
    found->replacement = ptx;
    found->text = found->replacement.c_str();
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
        std::fflush(nullptr);
        std::fprintf(stderr, "This program's kernels cannot run here: %s\n", error.what());
        if (runtime().explains_misuse) std::_Exit(2);  // findings and results of such a run would mislead
        return false;
    }
    return true;
}

void carry_managed(Carry direction) {
    for (const Unit& unit : runtime().units) {
        if (!unit.module) continue;
        for (const Variable& variable : unit.variables) {
            if (variable.is_managed) carry(unit, variable, direction);
        }
    }
}

bool on_shadow_access(RuntimeState& state, std::uint64_t address, bool is_write) {
    for (const Unit& unit : state.units) {
        for (const Variable& variable : unit.variables) {
            const PageRange pages = shadow_pages(variable);
            if (!pages.overlaps(address, address + 1)) continue;
            const std::lock_guard lock(state.mutex);
            Finding finding;
            finding.kind = FindingKind::host_access;
            finding.is_mistake = true;
            finding.headline = std::string("your host code ") + (is_write ? "writes " : "reads ") + machine::demangle(variable.name) +
                               (variable.is_constant ? ", a __constant__" : ", a __device__") +
                               " variable: that is the host's own copy, which kernels don't share; copy the value with " +
                               (is_write ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol");
            keep(state, finding);
            return give_rights(pages.begin, pages.end, Rights::all);  // reported once
        }
    }
    return false;
}

void unload_all() {
    for (Unit& unit : runtime().units) {
        unit.module.reset();
        unit.refusal.clear();
    }
}

}  // namespace lab::cuda

using lab::cuda::Unit;
using lab::cuda::Variable;

// Called by clang's generated code (CodeGen/CGCUDANV.cpp), before main().
extern "C" {

struct LabFatBinary {
    unsigned int magic, version;
    const char* data;  // PTX text, NUL-terminated
    const void* unused;
};

void** __cudaRegisterFatBinary(void* wrapper) {
    auto& state = lab::cuda::runtime();
    const std::lock_guard lock(state.mutex);
    Unit& unit = state.units.emplace_back();
    unit.text = static_cast<const LabFatBinary*>(wrapper)->data;
    return reinterpret_cast<void**>(&unit);
}

int __cudaRegisterFunction(void** handle, const void* stub, char*, const char* name, int, void*, void*, void*, void*, int*) {
    const std::lock_guard lock(lab::cuda::runtime().mutex);
    reinterpret_cast<Unit*>(handle)->functions.emplace(stub, name);
    return 0;
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, std::size_t size, int is_constant, int) {
    const std::lock_guard lock(lab::cuda::runtime().mutex);
    reinterpret_cast<Unit*>(handle)->variables.push_back(Variable{name, shadow, size, lab::cuda::is_managed(shadow), is_constant != 0});
}

void __cudaRegisterFatBinaryEnd(void** handle) {
    const std::lock_guard lock(lab::cuda::runtime().mutex);
    Unit& unit = *reinterpret_cast<Unit*>(handle);
    // Sets managed variables to their initial values, since the host may read one before its first call of the API.
    const auto is_managed = [](const Variable& variable) { return variable.is_managed; };
    const bool has_managed = std::any_of(unit.variables.begin(), unit.variables.end(), is_managed);
    if (has_managed && lab::cuda::load(unit)) lab::cuda::carry_managed(lab::cuda::Carry::to_host);
    if (!lab::cuda::runtime().options.checks.host) return;
    for (const Variable& variable : unit.variables) {
        const lab::cuda::PageRange pages = lab::cuda::shadow_pages(variable);
        if (pages.begin != pages.end) lab::cuda::give_rights(pages);
    }
}

void __cudaUnregisterFatBinary(void**) {}  // at exit; the later report still needs the names

}  // extern "C"
