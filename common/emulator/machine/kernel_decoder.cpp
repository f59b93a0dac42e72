#include <fmt/format.h>

#include <algorithm>

#include "common/emulator/machine/call_graph.h"
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/pointer_flow.h"
#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Space;

KernelDecoder::KernelDecoder(const ptx::Module& module, const Placement& placement, const KernelAnalysis* analysis)
    : module_(module), placement_(placement), analysis_(analysis) {}

std::uint64_t KernelDecoder::module_address(std::uint32_t variable) const {
    const auto found = placement_.addresses.find(variable);
    if (found == placement_.addresses.end()) {
        throw ptx::Error(
            fmt::format("variable '{}' is declared but defined nowhere; define it in this file", module_.variables[variable].name));
    }
    return found->second;
}

// Shared variables get their addresses when first used; dynamic shared memory follows all static ones, so those are placed beforehand.
// Constants are already placed: records the ones that the kernel names.
void KernelDecoder::place_variables() {
    std::vector<bool> used(module_.variables.size(), false);
    const auto note = [&](const ptx::Operand& operand) {
        if (operand.symbol_kind == ptx::Operand::SymbolKind::module_variable) used[operand.index] = true;
    };
    std::vector<const ptx::Variable*> variables;
    for (const std::uint32_t index : reached_functions(module_, pending_.front())) {
        const ptx::Function& function = module_.functions[index];
        for (const auto& variable : function.variables) {
            if (variable.space == Space::shared) variables.push_back(&variable);
        }
        for (const auto& instruction : function.body) ptx::for_each_operand(instruction, note);
    }
    for (std::uint32_t i = 0; i < used.size(); ++i) {
        const ptx::Variable& variable = module_.variables[i];
        if (used[i] && variable.space == Space::shared) variables.push_back(&variable);
        if (used[i] && variable.space == Space::constant)
            code_->constants.push_back({module_address(i), module_address(i) + variable.size});
    }
    std::uint32_t dynamic_align = 1;
    for (const ptx::Variable* variable : variables) {
        const std::uint32_t align = std::max<std::uint32_t>(variable->align, 1);
        if (variable->size == 0) {
            dynamic_align = std::max(dynamic_align, align);
            continue;
        }
        shared_bytes_ = (shared_bytes_ + align - 1) / align * align;
        shared_[variable] = shared_bytes_;
        shared_bytes_ += static_cast<std::uint32_t>(variable->size);
    }
    const std::uint32_t dynamic =
        (shared_bytes_ + std::max(dynamic_align, 16U) - 1) / std::max(dynamic_align, 16U) * std::max(dynamic_align, 16U);
    for (const ptx::Variable* variable : variables) {
        if (variable->size == 0) shared_[variable] = dynamic;
    }
    for (const ptx::Variable* variable : variables)
        code_->shared_variables.push_back({variable->name, static_cast<std::uint32_t>(shared_[variable]), variable->size});
    code_->static_shared_bytes = shared_bytes_;
    code_->dynamic_shared_offset = dynamic;
}

std::uint64_t KernelDecoder::shared_offset(const ptx::Variable& variable) {
    const auto found = shared_.find(&variable);
    if (found == shared_.end()) throw ptx::Error(fmt::format("shared variable '{}' has no place", variable.name));
    return found->second;
}

std::uint32_t KernelDecoder::new_memory_op(const FunctionCode& function, std::uint32_t index, Space space, AccessKind kind,
                                           std::uint32_t bytes) {
    code_->memory_ops.push_back({&function, index, space, kind, bytes, false, false, {}});
    return static_cast<std::uint32_t>(code_->memory_ops.size() - 1);
}

std::uint32_t KernelDecoder::new_group(std::vector<std::uint32_t> members, std::uint32_t leader) {
    MemoryOp group = code_->memory_ops[leader];
    group.members = std::move(members);
    code_->memory_ops.push_back(std::move(group));
    return static_cast<std::uint32_t>(code_->memory_ops.size() - 1);
}

FunctionCode* KernelDecoder::function(std::uint32_t index) {
    const auto [entry, fresh] = functions_.try_emplace(index, nullptr);
    if (fresh) {
        code_->functions.push_back(std::make_unique<FunctionCode>());
        entry->second = code_->functions.back().get();
        pending_.push_back(index);
    }
    return entry->second;
}

namespace {

// Blocks may run concurrently only if no result shows their order: atomics whose old value is used, or whose result depends on rounding,
// do.
bool order_matters(const ptx::Function& function) {
    for (const auto& instruction : function.body) {
        if (ptx::row_of(instruction.opcode()).kind != ptx::InstructionKind::atomic || instruction.space == Space::shared) continue;
        for (const Modifier visible : {Modifier::exch, Modifier::cas, Modifier::f32, Modifier::f64, Modifier::inc, Modifier::dec}) {
            if (instruction.has(visible)) return true;
        }
        if (instruction.opcode() == Opcode::red || instruction.operands.empty()) continue;
        const auto& result = instruction.operands[0];
        if (result.kind == ptx::Operand::Kind::reg && is_read(function, result.reg)) return true;
    }
    return false;
}

bool is_fence_for_all_blocks(const ptx::Instruction& instruction) {
    if (ptx::row_of(instruction.opcode()).kind != ptx::InstructionKind::fence) return false;
    return instruction.has(Modifier::gl) || instruction.has(Modifier::sys) || instruction.has(Modifier::gpu);
}

// Whether other blocks may wait for the instruction: an atomic, volatile or synchronising access to global memory.
bool is_signal(const ptx::Instruction& instruction) {
    if (instruction.space != Space::generic && instruction.space != Space::global && instruction.space != Space::constant) return false;
    if (ptx::row_of(instruction.opcode()).kind == ptx::InstructionKind::atomic) return true;
    if (instruction.opcode() != Opcode::ld && instruction.opcode() != Opcode::st) return false;
    return instruction.has(Modifier::volatile_) || instruction.has(Modifier::relaxed) || instruction.has(Modifier::acquire) ||
           instruction.has(Modifier::release);
}

// A signal that is read: a load, or an atomic that need not change it.
bool polls(const ptx::Instruction& instruction) {
    const auto is_zero = [](const ptx::Operand& operand) { return operand.kind == ptx::Operand::Kind::integer && operand.bits == 0; };
    return is_signal(instruction) && (instruction.opcode() == Opcode::ld || instruction.has(Modifier::cas) ||
                                      instruction.has(Modifier::exch) || std::ranges::any_of(instruction.operands, is_zero));
}

// A device-wide fence together with accesses to wait for: the order that these establish between blocks is not tracked.
void note_fences(const ptx::Function& function, KernelCode& code) {
    code.has_fence = code.has_fence || std::ranges::any_of(function.body, is_fence_for_all_blocks);
    code.has_signal = code.has_signal || std::ranges::any_of(function.body, is_signal);
}

}  // namespace

std::unique_ptr<KernelCode> KernelDecoder::decode(std::uint32_t function_index) {
    code_ = std::make_unique<KernelCode>();
    const ptx::Function& kernel = module_.functions[function_index];
    function(function_index);
    place_variables();
    std::uint64_t local_bytes = 0;
    while (!pending_.empty()) {
        const std::uint32_t index = pending_.back();
        pending_.pop_back();
        FunctionCode& out = *functions_.at(index);
        Decoder(*this, module_.functions[index], out).run();
        local_bytes += out.local_bytes;
        code_->info.serial = code_->info.serial || order_matters(module_.functions[index]);
        add_written_through(module_.functions[index], code_->written_through);
        note_fences(module_.functions[index], *code_);
        for (MemoryOp& op : code_->memory_ops) {
            if (op.function != &out) continue;
            const ptx::Instruction& instruction = module_.functions[index].body[op.index];
            op.polls = op.kind != AccessKind::store && polls(instruction);
            op.same_always = op.kind == AccessKind::store && stores_constant(module_.functions[index], instruction);
        }
    }
    // One instance of each function's variables suffices, and keeps their bounds tight, unless calls may recurse.
    constexpr std::uint64_t recursion_stack = 16384;
    const bool recursive = may_recurse(module_, function_index);
    code_->local_bytes = static_cast<std::uint32_t>(recursive ? local_bytes + recursion_stack : local_bytes);
    auto& info = code_->info;
    info.name = kernel.name;
    info.parameter_bytes = kernel.parameter_bytes;
    info.parameters = kernel.parameters;
    info.static_shared_bytes = code_->static_shared_bytes;
    info.local_bytes = static_cast<std::uint32_t>(local_bytes);
    std::uint32_t product = 1;
    bool limited = false;
    for (const auto& limit : {kernel.required_threads, kernel.max_threads}) {
        if (limit[0] == 0 || limited) continue;
        product = limit[0] * std::max(limit[1], 1U) * std::max(limit[2], 1U);
        limited = true;
    }
    if (limited) info.max_threads = product;
    if (analysis_ != nullptr) {
        info.registers = analysis_->registers(module_, kernel, 2);
        info.registers_before_20 = analysis_->registers(module_, kernel, 1);
    }
    return std::move(code_);
}

}  // namespace lab::machine
