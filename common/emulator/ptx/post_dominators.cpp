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

// Immediate dominators from `root` on; `none` for the root and for what it doesn't reach. Names are those of the paper, spelt out.
class Dominators {
public:
    Dominators(const FlowGraph& graph, std::uint32_t root)
        : graph_(graph),
          number_(graph.size(), none),
          parent_(graph.size(), none),
          ancestor_(graph.size(), none),
          best_(graph.size()),
          semi_(graph.size(), none),
          dominator_(graph.size(), none) {
        number_depth_first(root);
        const FlowGraph predecessors = reversed(graph);
        FlowGraph bucket(graph.size());
        for (std::size_t i = vertex_.size(); i-- > 1;) {
            const std::uint32_t node = vertex_[i];
            for (const std::uint32_t before : predecessors[node]) {
                if (number_[before] != none) semi_[node] = std::min(semi_[node], semi_[evaluate(before)]);
            }
            bucket[vertex_[semi_[node]]].push_back(node);
            const std::uint32_t parent = parent_[node];
            ancestor_[node] = parent;
            for (const std::uint32_t other : bucket[parent]) {
                const std::uint32_t least = evaluate(other);
                dominator_[other] = semi_[least] < semi_[other] ? least : parent;
            }
            bucket[parent].clear();
        }
        for (std::size_t i = 1; i < vertex_.size(); ++i) {
            const std::uint32_t node = vertex_[i];
            if (dominator_[node] != vertex_[semi_[node]]) dominator_[node] = dominator_[dominator_[node]];
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& immediate() const { return dominator_; }

private:
    void number_depth_first(std::uint32_t root) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pending{{root, none}};
        while (!pending.empty()) {
            const auto [node, parent] = pending.back();
            pending.pop_back();
            if (number_[node] != none) continue;
            parent_[node] = parent;
            semi_[node] = number_[node] = static_cast<std::uint32_t>(vertex_.size());
            best_[node] = node;
            vertex_.push_back(node);
            for (const std::uint32_t next : graph_[node]) {
                if (number_[next] == none) pending.emplace_back(next, node);
            }
        }
    }
    // The node of least semidominator on the path up to the forest's root, the path being shortened on the way.
    std::uint32_t evaluate(std::uint32_t node) {
        if (ancestor_[node] == none) return node;
        path_.clear();
        for (std::uint32_t at = node; ancestor_[ancestor_[at]] != none; at = ancestor_[at]) path_.push_back(at);
        while (!path_.empty()) {
            const std::uint32_t at = path_.back();
            path_.pop_back();
            const std::uint32_t above = ancestor_[at];
            if (semi_[best_[above]] < semi_[best_[at]]) best_[at] = best_[above];
            ancestor_[at] = ancestor_[above];
        }
        return best_[node];
    }

    const FlowGraph& graph_;
    std::vector<std::uint32_t> number_, parent_, ancestor_, best_, semi_, dominator_, vertex_, path_;
};

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

    const Dominators dominators(reversed(forward), exit);
    std::vector<std::uint32_t> result(exit);
    for (std::uint32_t node = 0; node < exit; ++node) {
        const std::uint32_t found = dominators.immediate()[node];
        result[node] = found > exit ? heads[found - exit - 1] : found;
    }
    return result;
}

}  // namespace lab::ptx
