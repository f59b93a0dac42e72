// Immediate post-dominators of a directed graph.
#pragma once

#include <cstdint>
#include <vector>

namespace lab::ptx {

// Node `b`'s successors; the number of nodes stands for the exit. Every node should have one; a node without goes to the exit.
using FlowGraph = std::vector<std::vector<std::uint32_t>>;

// Which nodes are in a loop from where no path leads to the exit.
[[nodiscard]] std::vector<bool> in_infinite_loop(const FlowGraph& graph);

// For each node the nearest one that all its paths to the exit pass through, other than itself; the number of nodes stands for the exit.
// An endless loop has no path to the exit. There, arriving at the loop's head counts as the end of a path, the head being
// the lowest-numbered node of a strongly connected component that no edge leaves; so branches inside the loop still
// get the place where their sides reconverge, and a node may then come out as its own post-dominator: the next time round.
// Method: Lengauer and Tarjan, A fast algorithm for finding dominators in a flowgraph, 1979, on the reversed graph.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph);

}  // namespace lab::ptx
