#include "common/emulator/ptx/post_dominators.h"

#include <algorithm>
#include <limits>
#include <utility>

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

// The strongly connected components among nodes that can't reach the exit, which is the last node (Tarjan 1972, without recursion).
class EndlessLoops {
public:
    explicit EndlessLoops(const FlowGraph& graph)
        : graph_(graph), order_(graph.size(), none), low_(graph.size(), none), component_(graph.size(), none) {
        const std::vector<bool> ends = reachable_from(reversed(graph), static_cast<std::uint32_t>(graph.size() - 1));
        for (std::uint32_t node = 0; node < graph.size(); ++node) {
            if (!ends[node] && order_[node] == none) visit(node);
        }
    }
    // Whether a node is on a cycle.
    [[nodiscard]] std::vector<bool> members() const {
        std::vector<bool> result(graph_.size());
        for (std::uint32_t node = 0; node < graph_.size(); ++node) {
            if (component_[node] == none) continue;
            result[node] = std::ranges::any_of(graph_[node], [&](std::uint32_t next) { return component_[next] == component_[node]; });
        }
        return result;
    }
    // The lowest node of each component that no edge leaves.
    [[nodiscard]] std::vector<std::uint32_t> heads() const {
        std::vector<std::uint32_t> lowest(components_, none);
        std::vector<bool> left(components_);
        for (std::uint32_t node = 0; node < graph_.size(); ++node) {
            const std::uint32_t own = component_[node];
            if (own == none) continue;
            lowest[own] = std::min(lowest[own], node);
            for (const std::uint32_t next : graph_[node]) {
                if (component_[next] != own) left[own] = true;
            }
        }
        std::vector<std::uint32_t> result;
        for (std::uint32_t i = 0; i < components_; ++i) {
            if (!left[i]) result.push_back(lowest[i]);
        }
        return result;
    }

private:
    void visit(std::uint32_t root) {
        std::vector<std::pair<std::uint32_t, std::size_t>> path;
        enter(root, path);
        while (!path.empty()) {
            const std::uint32_t node = path.back().first;
            if (path.back().second < graph_[node].size()) {
                const std::uint32_t next = graph_[node][path.back().second++];
                if (order_[next] == none)
                    enter(next, path);
                else if (component_[next] == none)
                    low_[node] = std::min(low_[node], order_[next]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[node]);
            if (low_[node] == order_[node]) close_component(node);
        }
    }
    void enter(std::uint32_t node, std::vector<std::pair<std::uint32_t, std::size_t>>& path) {
        order_[node] = low_[node] = count_++;
        open_.push_back(node);
        path.emplace_back(node, 0);
    }
    void close_component(std::uint32_t root) {
        std::uint32_t node = none;
        do {
            node = open_.back();
            open_.pop_back();
            component_[node] = components_;
        } while (node != root);
        ++components_;
    }

    const FlowGraph& graph_;
    std::vector<std::uint32_t> order_, low_, component_, open_;
    std::uint32_t count_ = 0;
    std::uint32_t components_ = 0;
};

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
    std::vector<bool> result = EndlessLoops(forward).members();
    result.pop_back();
    return result;
}

std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph) {
    const auto exit = static_cast<std::uint32_t>(graph.size());
    FlowGraph forward = with_exit(graph);
    const std::vector<std::uint32_t> heads = EndlessLoops(forward).heads();
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
