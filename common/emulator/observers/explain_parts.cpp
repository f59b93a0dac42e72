#include "common/emulator/observers/explain_parts.h"

#include <fmt/format.h>

#include <cstdlib>

#include "common/emulator/machine/demangle.h"

namespace lab::observers {

using machine::Dim3;
using machine::Fault;
using machine::FaultKind;
using machine::Op;
using machine::ThreadId;

std::string show(const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

Dim3 thread_at(const LaunchContext& context, std::uint32_t warp, unsigned lane) {
    const std::uint32_t linear = warp * machine::warp_size + lane;
    return {linear % context.block.x, linear / context.block.x % context.block.y, linear / context.block.x / context.block.y};
}

Dim3 block_at(const LaunchContext& context, std::uint64_t linear) {
    return {static_cast<std::uint32_t>(linear % context.grid.x), static_cast<std::uint32_t>(linear / context.grid.x % context.grid.y),
            static_cast<std::uint32_t>(linear / context.grid.x / context.grid.y)};
}

const ptx::Instruction* instruction_of(const Op* op) {
    if (op == nullptr || op->function == nullptr || op->index >= op->function->source->body.size()) return nullptr;
    return &op->function->source->body[op->index];
}

std::string place(const Op* op, const LaunchContext& context) {
    const ptx::Instruction* instruction = instruction_of(op);
    const std::string text = instruction == nullptr ? "" : context.module->describe(instruction->where);
    return text.empty() ? "an unknown line" : text;
}

std::uint32_t line_of(const Op* op, const LaunchContext& context) {
    const std::string text = place(op, context);
    const auto colon = text.rfind(':');
    return colon == std::string::npos ? 0 : static_cast<std::uint32_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
}

std::string file_of(const Op* op, const LaunchContext& context) {
    const std::string text = place(op, context);
    const auto colon = text.rfind(':');
    return colon == std::string::npos ? "" : text.substr(0, colon);
}

namespace {

// "N_tile" of "matmul_tiled<16, float>(float const*, ...)::N_tile".
std::string own_name(const std::string& mangled) {
    const std::string name = machine::demangle(mangled);
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace

std::string shared_place(std::uint64_t offset, std::uint32_t bytes, const LaunchContext& context) {
    std::string owner;
    for (const machine::SharedVariable& variable : context.code->shared_variables) {
        // Several names of dynamic shared memory are names of the same bytes: the first one stands for all.
        const std::uint64_t end = variable.bytes != 0 ? variable.offset + variable.bytes : context.shared_bytes;
        if (!owner.empty() || offset < variable.offset || offset >= end) continue;
        owner = own_name(variable.name) + " in ";
        offset -= variable.offset;
    }
    const std::string which = bytes == 1 ? fmt::format("byte {}", offset) : fmt::format("bytes {} to {}", offset, offset + bytes - 1);
    return fmt::format("{} of {}shared memory", which, owner);
}

std::string seen(std::uint64_t count) { return count == 0 ? "" : fmt::format("; seen {} time{}", count, count == 1 ? "" : "s"); }

const char* space_name(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared:
            return "shared memory";
        case ptx::Space::local:
            return "local memory";
        case ptx::Space::constant:
            return "constant memory";
        case ptx::Space::param:
            return "kernel parameters";
        default:
            return "global memory";
    }
}

Fault start(FaultKind kind, std::string headline, const Op* op, const LaunchContext& context, const Dim3& block, std::uint32_t warp,
            unsigned lane) {
    Fault fault;
    fault.kind = kind;
    fault.headline = std::move(headline);
    fault.file = file_of(op, context);
    fault.line = line_of(op, context);
    fault.who = ThreadId{block, thread_at(context, warp, lane)};
    fault.text = fmt::format("{}\n  at {} in kernel {}\n  by thread {} of block {}", fault.headline, place(op, context), context.kernel,
                             show(fault.who.thread), show(block));
    return fault;
}

}  // namespace lab::observers
