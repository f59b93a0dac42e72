// Basic blocks and the reconvergence points of diverged lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

// Successors of node `b`; the number of nodes stands for the exit. Every node should have one; a node without goes to the exit.
using FlowGraph = std::vector<std::vector<std::uint32_t>>;

// Per node, and for the exit, behind them: whether a path leads there from `start`.
[[nodiscard]] std::vector<bool> reachable_from(const FlowGraph& graph, std::uint32_t start);

// Per node: whether it is in a loop without a path to the exit.
[[nodiscard]] std::vector<bool> in_infinite_loop(const FlowGraph& graph);

// Per node: the nearest other node that all its paths to the exit pass through; the number of nodes stands for the exit. An infinite loop
// has no path to the exit. There, arrival at the loop's head ends a path; the head is the lowest-numbered node of a strongly connected
// component that no edge leaves. So branches inside the loop still have a reconvergence point, and a node may be its own post-dominator, in
// the next iteration. Method: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, 2001, on the reversed graph.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph);

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
