// Basic blocks and the reconvergence points of diverged lanes.
#pragma once

#include "common/emulator/ptx/module.h"
#include "common/emulator/ptx/post_dominators.h"

namespace lab::ptx {

// The blocks of a function as a graph; block i starts at block_starts[i].
struct ControlFlow {
    std::vector<std::uint32_t> block_starts;
    FlowGraph successors;    // every edge that control can take; block_starts.size() stands for the function's end
    FlowGraph reconverging;  // the same without edges on which a thread exits, unless no other edge remains (see cfg.cpp)
};
[[nodiscard]] ControlFlow control_flow(const Module& module, const Function& function);

// Sets Function::block_starts and every Instruction::reconvergence.
void analyse_control_flow(const Module& module, Function& function);

}  // namespace lab::ptx
