#include "common/emulator/observers/explain_parts.h"

#include <fmt/format.h>

#include <cstdlib>

#include "common/emulator/machine/code.h"

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
