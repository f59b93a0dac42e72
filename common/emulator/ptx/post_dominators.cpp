
#include <algorithm>
#include <limits>
#include <utility>

#include "common/emulator/ptx/cfg.h"

namespace lab::ptx {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// The same with the exit as a separate node.
FlowGraph with_exit(const FlowGraph& graph) {
    const auto exit = static_cast<std::uint32_t>(graph.size());
    FlowGraph result = graph;
    for (auto& successors : result) {
        if (successors.empty()) successors.push_back(exit);
    }
    result.emplace_back();
    return result;
}

FlowGraph reversed(const FlowGraph& graph) {
    FlowGraph result(graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        for (const std::uint32_t next : graph[node]) result[next].push_back(node);
    }
    return result;
}

// The strongly connected components among nodes that can't reach the exit.
struct InfiniteLoops {
    std::vector<bool> members;         // per node: whether it is on a cycle
    std::vector<std::uint32_t> heads;  // the lowest node of each component that no edge leaves
};

// `graph`: the exit is its last node.
InfiniteLoops infinite_loops(const FlowGraph& graph) {
    const FlowGraph backward = reversed(graph);
    InfiniteLoops loops{std::vector<bool>(graph.size()), {}};
    std::vector<bool> done = reachable_from(backward, static_cast<std::uint32_t>(graph.size() - 1));
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        if (done[node]) continue;
        const std::vector<bool> after = reachable_from(graph, node);
        const std::vector<bool> before = reachable_from(backward, node);
        bool is_left = false;
        for (std::uint32_t other = 0; other < graph.size(); ++other) {
            if (!after[other]) continue;
            is_left = is_left || !before[other];
            if (before[other]) done[other] = loops.members[other] = true;
        }
        loops.members[node] = std::ranges::any_of(graph[node], [&](std::uint32_t next) { return before[next]; });
        if (!is_left) loops.heads.push_back(node);
    }
    return loops;
}

// The nodes that `root` reaches, each after all nodes that a depth-first search enters from it.
std::vector<std::uint32_t> postorder(const FlowGraph& graph, std::uint32_t root) {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(graph.size());
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
    seen[root] = true;
    while (!path.empty()) {
        auto& [node, edge] = path.back();
        if (edge == graph[node].size()) {
            order.push_back(node);
            path.pop_back();
        } else if (const std::uint32_t next = graph[node][edge++]; !seen[next]) {
            seen[next] = true;
            path.emplace_back(next, 0);
        }
    }
    return order;
}

// Immediate dominators from `root` on; the root's is itself, and `none` stands for what it doesn't reach.
std::vector<std::uint32_t> immediate_dominators(const FlowGraph& graph, std::uint32_t root) {
    const std::vector<std::uint32_t> order = postorder(graph, root);
    const FlowGraph predecessors = reversed(graph);
    std::vector<std::uint32_t> number(graph.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    std::vector<std::uint32_t> dominator(graph.size(), none);
    dominator[root] = root;
    const auto nearest_common = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            if (number[a] < number[b]) std::swap(a, b);
            b = dominator[b];
        }
        return a;
    };
    for (bool changes = true; changes;) {
        changes = false;
        for (std::size_t i = order.size() - 1; i-- > 0;) {
            const std::uint32_t node = order[i];
            std::uint32_t found = none;
            for (const std::uint32_t before : predecessors[node]) {
                if (dominator[before] != none) found = found == none ? before : nearest_common(before, found);
            }
            changes = changes || found != dominator[node];
            dominator[node] = found;
        }
    }
    return dominator;
}

}  // namespace

std::vector<bool> reachable_from(const FlowGraph& graph, std::uint32_t start) {
    std::vector<bool> seen(graph.size() + 1);
    std::vector<std::uint32_t> pending{start};
    seen[start] = true;
    while (!pending.empty()) {
        const std::uint32_t node = pending.back();
        pending.pop_back();
        if (node == graph.size()) continue;
        for (const std::uint32_t next : graph[node]) {
            if (seen[next]) continue;
            seen[next] = true;
            pending.push_back(next);
        }
    }
    return seen;
}

std::vector<bool> in_infinite_loop(const FlowGraph& graph) {
    const FlowGraph forward = with_exit(graph);
    std::vector<bool> result = infinite_loops(forward).members;
    result.pop_back();
    return result;
}

std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph) {
    const auto exit = static_cast<std::uint32_t>(graph.size());
    FlowGraph forward = with_exit(graph);
    const std::vector<std::uint32_t> heads = infinite_loops(forward).heads;
    // Each head is split: edges to it arrive at a gate, which leads to the head and to the exit.
    std::vector<std::uint32_t> gate_of(forward.size(), none);
    for (std::uint32_t i = 0; i < heads.size(); ++i) gate_of[heads[i]] = exit + 1 + i;
    for (auto& successors : forward) {
        for (std::uint32_t& next : successors) {
            if (gate_of[next] != none) next = gate_of[next];
        }
    }
    for (const std::uint32_t head : heads) forward.push_back({head, exit});

    const std::vector<std::uint32_t> dominators = immediate_dominators(reversed(forward), exit);
    std::vector<std::uint32_t> result(exit);
    for (std::uint32_t node = 0; node < exit; ++node) {
        const std::uint32_t found = dominators[node];
        result[node] = found > exit ? heads[found - exit - 1] : found;
    }
    return result;
}

}  // namespace lab::ptx
