// Decoding of control flow, barriers, warp-level instructions and calls.
#include <fmt/format.h>

#include "common/emulator/machine/builtins.h"
#include "common/emulator/machine/call_graph.h"
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/machine/warp_level.h"
#include "common/emulator/machine/windows.h"

namespace lab::machine {

using ptx::Operand;

namespace {

const Op* nothing(const Op* op, Warp& /*warp*/) { return op + 1; }

bool is_hint(const std::string& name) {
    static const char* const hints[] = {"membar",  "fence",         "nanosleep", "prefetch",      "prefetchu",
                                        "discard", "applypriority", "pmevent",   "griddepcontrol"};
    for (const char* hint : hints) {
        if (name == hint) return true;
    }
    return false;
}

}  // namespace

bool Decoder::decode_control() {
    const auto& operands = current_->operands;
    const std::string& name = current_->parts[0];
    if (name == "bra") {
        const Operand& label = operands[0];
        if (!current_->guard) {
            emit(jump);
            fixups_.push_back({static_cast<std::uint32_t>(out_.ops.size() - 1), label.index, none, {}});
            return true;
        }
        const std::uint32_t slot = register_slot(current_->guard->reg);
        Op& op = emit(branch);
        op.a = slot;
        if (current_->guard->negated) op.flags |= flag_negated;
        fixups_.push_back({static_cast<std::uint32_t>(out_.ops.size() - 1), label.index, current_->reconvergence, {}});
        return true;
    }
    if (name == "brx") {
        if (current_->guard) refuse("a guarded brx.idx is not supported,");
        const std::uint32_t slot = source(operands[0], OperandType::bits32);
        Op& op = emit(branch_indexed);
        op.a = slot;
        fixups_.push_back({static_cast<std::uint32_t>(out_.ops.size() - 1), none, current_->reconvergence,
                           source_.label_tables[operands[1].index].targets});
        return true;
    }
    if (name == "ret" || name == "exit") {
        const std::uint32_t slot = current_->guard ? register_slot(current_->guard->reg) : 0;
        Op& op = emit(leave);
        op.kind = name == "exit" ? 1 : 0;
        if (current_->guard) {
            op.a = slot;
            op.flags = static_cast<std::uint8_t>(flag_guarded | (current_->guard->negated ? flag_negated : 0));
        }
        return true;
    }
    if (name == "trap" || name == "brkpt") {
        emit_guard();
        emit(name == "trap" ? trap : nothing);
        return true;
    }
    if (is_hint(name)) {
        emit(nothing);
        return true;
    }
    if (name == "bar" || name == "barrier") {
        if (current_->parts.size() > 1 && current_->parts[1] == "warp") return false;
        decode_barrier();
        return true;
    }
    if (name == "call") return decode_call();
    return false;
}

void Decoder::decode_barrier() {
    // bar{.cta}.sync a{, b}; bar.arrive a, b; bar.red.popc.u32 d, a{, b}, {!}c; bar.red.and.pred p, a{, b}, {!}q
    if (current_->guard) refuse("a guarded barrier is not supported,");
    BarrierDetail detail_value;
    const auto& operands = current_->operands;
    std::size_t next = 0;
    if (has("red")) {
        using Reduction = BarrierDetail::Reduction;
        detail_value.reduction = has("popc") ? Reduction::count : has("and") ? Reduction::all : Reduction::any;
        detail_value.result =
            destination(operands[0], detail_value.reduction == Reduction::count ? OperandType::bits32 : OperandType::pred);
        const Operand& input = operands.back();
        detail_value.predicate = source(input, OperandType::pred);
        detail_value.negated = input.negated;
        next = 1;
    }
    detail_value.arrive_only = has("arrive");
    const std::size_t last = operands.size() - (has("red") ? 1 : 0);
    detail_value.id = next < last ? source(operands[next], OperandType::bits32) : constant(0, OperandType::bits32);
    detail_value.threads = next + 1 < last ? source(operands[next + 1], OperandType::bits32) : BarrierDetail::no_slot;
    if (next + 1 < last || detail_value.arrive_only) kernel_.code().has_named_barriers = true;
    Op& op = emit(barrier);
    detail<BarrierDetail>(op) = detail_value;
}

bool Decoder::decode_warp_level() {
    const std::string& name = current_->parts[0];
    const auto& operands = current_->operands;
    if (name == "activemask") {
        const std::uint32_t to = destination(operands[0], OperandType::bits32);
        emit_guard();
        emit(active_mask).dst = to;
        return true;
    }
    WarpSyncDetail sync;
    Op proto;
    if (name == "bar") {
        sync.members = source(operands[0], OperandType::bits32);
    } else if (name == "shfl" || name == "vote" || name == "match" || name == "redux") {
        if (!has("sync")) refuse(fmt::format("'{}' without .sync is not supported since compute capability 7.0,", current_->text));
        sync.members = source(operands.back(), OperandType::bits32);
    } else {
        return false;
    }
    if (current_->guard) refuse(fmt::format("a guarded '{}' is not supported,", current_->text));
    if (name == "shfl") {
        // shfl.sync.mode.b32 d[|p], a, b, c, membermask
        static const std::pair<const char*, ShuffleKind> modes[] = {
            {"up", ShuffleKind::up}, {"down", ShuffleKind::down}, {"bfly", ShuffleKind::butterfly}, {"idx", ShuffleKind::index}};
        for (const auto& [text, mode] : modes) {
            if (has(text)) proto.kind = static_cast<std::uint8_t>(mode);
        }
        const bool with_predicate = operands.size() == 6;
        const std::size_t first = with_predicate ? 2 : 1;
        proto.dst = destination(operands[0], OperandType::bits32);
        proto.extra = with_predicate ? destination(operands[1], OperandType::pred) : no_result;
        proto.a = source(operands[first], OperandType::bits32);
        proto.b = source(operands[first + 1], OperandType::bits32);
        proto.c = source(operands[first + 2], OperandType::bits32);
        sync.run = shuffle;
    } else if (name == "vote") {
        proto.kind = static_cast<std::uint8_t>(has("all")   ? VoteKind::all
                                               : has("any") ? VoteKind::any
                                               : has("uni") ? VoteKind::uniform
                                                            : VoteKind::ballot);
        proto.dst = destination(operands[0], has("ballot") ? OperandType::bits32 : OperandType::pred);
        proto.a = source(operands[1], OperandType::pred);
        if (operands[1].negated) proto.flags = flag_negated_source;
        sync.run = vote;
    } else if (name == "match") {
        const bool wide = has("b64");
        const bool with_predicate = operands.size() == 4;
        const std::size_t first = with_predicate ? 2 : 1;
        proto.kind = static_cast<std::uint8_t>(has("all") ? MatchKind::all : MatchKind::any);
        proto.dst = destination(operands[0], OperandType::bits32);
        proto.extra = with_predicate ? destination(operands[1], OperandType::pred) : no_result;
        proto.a = source(operands[first], wide ? OperandType::bits64 : OperandType::bits32);
        proto.width = wide ? 8 : 4;
        sync.run = match;
    } else if (name == "redux") {
        const bool is_signed = has("s32");
        const std::pair<const char*, ReduceKind> kinds[] = {{"add", ReduceKind::add},
                                                            {"min", is_signed ? ReduceKind::min_signed : ReduceKind::min_unsigned},
                                                            {"max", is_signed ? ReduceKind::max_signed : ReduceKind::max_unsigned},
                                                            {"and", ReduceKind::bit_and},
                                                            {"or", ReduceKind::bit_or},
                                                            {"xor", ReduceKind::bit_xor}};
        for (const auto& [text, kind] : kinds) {
            if (has(text)) proto.kind = static_cast<std::uint8_t>(kind);
        }
        proto.dst = destination(operands[0], OperandType::bits32);
        proto.a = source(operands[1], OperandType::bits32);
        sync.run = reduce;
    }
    Op& op = emit(warp_sync);
    op.kind = proto.kind;
    op.flags = proto.flags;
    op.width = proto.width;
    op.dst = proto.dst;
    op.a = proto.a;
    op.b = proto.b;
    op.c = proto.c;
    op.extra = proto.extra;
    detail<WarpSyncDetail>(op) = sync;
    return true;
}

bool Decoder::decode_call() {
    // call{.uni} (results), callee, (arguments); either list may be missing
    const auto& operands = current_->operands;
    const Operand* callee = nullptr;
    const Operand* results = nullptr;
    const Operand* arguments = nullptr;
    for (const Operand& operand : operands) {
        if (operand.kind == Operand::Kind::list) {
            (callee == nullptr ? results : arguments) = &operand;
        } else if (callee == nullptr) {
            callee = &operand;
        }
    }
    const bool indirect = callee != nullptr && callee->kind == Operand::Kind::reg;
    const bool direct = callee != nullptr && callee->kind == Operand::Kind::symbol && callee->symbol_kind == Operand::SymbolKind::function;
    if (!indirect && !direct) refuse("a call without a function is not possible,");
    if (current_->guard) refuse("a guarded call is not supported,");
    std::vector<ParamSlot> argument_slots;
    std::vector<ParamSlot> result_slots;
    const auto slots_of = [this](const Operand* list, std::vector<ParamSlot>& slots) {
        if (list == nullptr) return;
        for (const Operand& element : list->elements) {
            if (element.kind == Operand::Kind::reg) {
                const OperandType type = type_of_register(element.reg);
                slots.push_back({register_slot(element.reg), type == OperandType::bits64 ? 8U : 4U});
            } else if (element.kind == Operand::Kind::symbol) {
                slots.push_back(param_variable(element));
            } else {
                slots.push_back({source(element, OperandType::bits32), 4});
            }
        }
    };
    slots_of(arguments, argument_slots);
    slots_of(results, result_slots);
    if (indirect) {
        const std::uint32_t pointer = source(*callee, OperandType::bits64);
        Op& op = emit(call_indirect);
        op.a = pointer;
        auto& details = detail<CallDetail>(op);
        for (const std::uint32_t index : pointed_functions(kernel_.module()))
            details.targets[function_address(index)] = kernel_.function(index);
        details.arguments = std::move(argument_slots);
        details.results = std::move(result_slots);
        return true;
    }
    const ptx::Function& function = kernel_.module().functions[callee->index];
    if (function.is_declaration) {
        const Definition* math = Table::instance().find("call." + function.name);
        if (math != nullptr && argument_slots.size() == math->source_count && result_slots.size() == 1) {
            Op& op = emit(math->run[0], math->run[1]);
            const auto at = [&](std::size_t i) { return i < argument_slots.size() ? argument_slots[i].offset : 0; };
            op.dst = result_slots[0].offset;
            op.a = at(0);
            op.b = at(1);
            op.c = at(2);
            op.extra = at(3);
            return true;
        }
        kernel_.code().module_functions_called.push_back(function.name);
        const Handler handler = builtin_function(function.name);
        if (handler == nullptr)
            refuse(fmt::format("'{}' is called but not defined (is it in another file, or a library function that the emulator lacks?)",
                               function.name));
        Op& op = emit(handler);
        auto& details = detail<BuiltinDetail>(op);
        details.arguments = argument_slots;
        details.results = result_slots;
        return true;
    }
    FunctionCode* code = kernel_.function(callee->index);
    Op& op = emit(call);
    auto& details = detail<CallDetail>(op);
    details.callee = code;
    details.arguments = std::move(argument_slots);
    details.results = std::move(result_slots);
    return true;
}

}  // namespace lab::machine
