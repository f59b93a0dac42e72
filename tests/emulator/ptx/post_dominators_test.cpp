// Immediate post-dominators: known graphs, and random ones against the definition worked out node by node.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "common/emulator/ptx/cfg.h"

namespace lab::ptx {
namespace {

using Nodes = std::vector<std::uint32_t>;

TEST(PtxPostDominators, SidesOfADiamondMeetBelow) { EXPECT_EQ(immediate_post_dominators({{1, 2}, {3}, {3}, {4}}), (Nodes{3, 3, 3, 4})); }

TEST(PtxPostDominators, LoopIsLeftThroughItsHead) { EXPECT_EQ(immediate_post_dominators({{1}, {2, 3}, {1}, {4}}), (Nodes{1, 3, 1, 4})); }

TEST(PtxPostDominators, NestedBranchesMeetFromTheInsideOut) {
    EXPECT_EQ(immediate_post_dominators({{1, 5}, {2, 3}, {4}, {4}, {6}, {6}, {7}}), (Nodes{6, 4, 4, 4, 6, 6, 7}));
}

TEST(PtxPostDominators, IrreducibleLoopIsLeftWhereItCanBe) {
    // 0 enters the cycle 1 <-> 2 at either node; only 2 leaves it.
    EXPECT_EQ(immediate_post_dominators({{1, 2}, {2}, {1, 3}, {4}}), (Nodes{2, 2, 3, 4}));
}

TEST(PtxPostDominators, SeveralExitsMeetOnlyAtTheEnd) { EXPECT_EQ(immediate_post_dominators({{1, 2}, {3}, {3}}), (Nodes{3, 3, 3})); }

TEST(PtxPostDominators, BranchInsideAnEndlessLoopMeetsInside) {
    // 0 -> loop of 1 -> {2, 3} -> 4 -> 1
    EXPECT_EQ(immediate_post_dominators({{1}, {2, 3}, {4}, {4}, {1}}), (Nodes{1, 4, 4, 4, 1}));
}

TEST(PtxPostDominators, ContinueInAnEndlessLoopMeetsAtItsHead) {
    // 1 -> {2, 1}: the head is its own post-dominator.
    EXPECT_EQ(immediate_post_dominators({{1}, {1, 2}, {1}}), (Nodes{1, 1, 1}));
}

TEST(PtxPostDominators, UnreachableNodesHaveOnesToo) { EXPECT_EQ(immediate_post_dominators({{3}, {2}, {3}}), (Nodes{3, 2, 3})); }

TEST(PtxPostDominators, NoNodesNoAnswer) { EXPECT_TRUE(immediate_post_dominators({}).empty()); }

// The definition applied directly. A path ends at the exit, or on arrival at the head of an infinite loop; `p` post-dominates `b` if no
// path from b ends before it reaches p.
class Definition {
public:
    explicit Definition(const FlowGraph& graph) : graph_(graph), exit_(static_cast<std::uint32_t>(graph.size())) {
        for (std::uint32_t b = 0; b < exit_; ++b) reach_.push_back(reachable(b));
        for (std::uint32_t b = 0; b < exit_; ++b) {
            if (reach_[b][exit_]) continue;
            // b is in a closed component if every node that it reaches reaches b; its head is the least of them.
            bool closed = reach_[b][b];
            std::uint32_t least = exit_;
            for (std::uint32_t n = 0; n < exit_; ++n) {
                if (!reach_[b][n]) continue;
                closed = closed && reach_[n][b];
                least = std::min(least, n);
            }
            if (closed && least == b) heads_.push_back(b);
        }
    }
    [[nodiscard]] bool post_dominates(std::uint32_t p, std::uint32_t b) const {
        std::vector<bool> seen(exit_ + 1);
        Nodes pending{b};
        while (!pending.empty()) {
            const std::uint32_t node = pending.back();
            pending.pop_back();
            for (const std::uint32_t next : graph_[node]) {
                if (next == p) continue;
                if (next == exit_ || std::ranges::find(heads_, next) != heads_.end()) return false;
                if (!seen[next]) {
                    seen[next] = true;
                    pending.push_back(next);
                }
            }
        }
        return true;
    }
    // The post-dominator that all others post-dominate. A head may post-dominate itself, in the next iteration.
    [[nodiscard]] std::uint32_t immediate(std::uint32_t b) const {
        Nodes candidates;
        for (std::uint32_t p = 0; p < exit_; ++p) {
            const bool may_be_itself = std::ranges::find(heads_, b) != heads_.end();
            if ((p != b || may_be_itself) && post_dominates(p, b)) candidates.push_back(p);
        }
        if (candidates.empty()) return exit_;
        for (const std::uint32_t p : candidates) {
            const auto comes_after = [&](std::uint32_t q) { return q == p || q == b || first_on_every_path(p, q, b); };
            if (std::ranges::all_of(candidates, comes_after)) return p;
        }
        return exit_ + 1;  // never: post-dominators of a node form a chain
    }

private:
    // Whether no path from b reaches q before p.
    [[nodiscard]] bool first_on_every_path(std::uint32_t p, std::uint32_t q, std::uint32_t b) const {
        std::vector<bool> seen(exit_ + 1);
        Nodes pending{b};
        while (!pending.empty()) {
            const std::uint32_t node = pending.back();
            pending.pop_back();
            for (const std::uint32_t next : graph_[node]) {
                if (next == q) return false;
                if (next == p || next == exit_ || seen[next] || std::ranges::find(heads_, next) != heads_.end()) continue;
                seen[next] = true;
                pending.push_back(next);
            }
        }
        return true;
    }
    [[nodiscard]] std::vector<bool> reachable(std::uint32_t from) const {
        std::vector<bool> seen(exit_ + 1);
        Nodes pending{from};
        while (!pending.empty()) {
            const std::uint32_t node = pending.back();
            pending.pop_back();
            if (node == exit_) continue;
            for (const std::uint32_t next : graph_[node]) {
                if (!seen[next]) {
                    seen[next] = true;
                    pending.push_back(next);
                }
            }
        }
        return seen;
    }

    const FlowGraph& graph_;
    std::uint32_t exit_;
    std::vector<std::vector<bool>> reach_;
    Nodes heads_;
};

std::string show(const FlowGraph& graph) {
    std::string text;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        text += std::to_string(i) + ":";
        for (const std::uint32_t next : graph[i]) text += " " + std::to_string(next);
        text += "; ";
    }
    return text;
}

TEST(PtxPostDominators, AgreeWithTheDefinitionOnRandomGraphs) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    int endless = 0;
    for (int round = 0; round < 20000; ++round) {
        const auto count = static_cast<std::uint32_t>(1 + random() % 12);
        FlowGraph graph(count);
        for (auto& successors : graph) {
            const unsigned ways = random() % 8 == 0 ? 3 : 1 + random() % 2;
            for (unsigned way = 0; way < ways; ++way) {
                // The exit is rare in half of the graphs, so that endless loops come up.
                const std::uint32_t next = static_cast<std::uint32_t>(random() % (round % 2 == 0 || random() % 8 == 0 ? count + 1 : count));
                if (std::ranges::find(successors, next) == successors.end()) successors.push_back(next);
            }
        }
        const Nodes found = immediate_post_dominators(graph);
        const Definition definition(graph);
        ASSERT_EQ(found.size(), count);
        for (std::uint32_t b = 0; b < count; ++b) {
            ASSERT_EQ(found[b], definition.immediate(b)) << "node " << b << " of " << show(graph);
            endless += found[b] == b ? 1 : 0;
        }
    }
    EXPECT_GT(endless, 100);  // the random graphs do have the odd cases
}

TEST(PtxPostDominators, LongChainsNeitherOverflowTheStackNorTakeLong) {
    constexpr std::uint32_t length = 300000;
    FlowGraph chain(length);
    for (std::uint32_t i = 0; i < length; ++i) chain[i] = {i + 1, i == 0 ? 1 : i - 1};
    EXPECT_EQ(immediate_post_dominators(chain).at(length / 2), length / 2 + 1);
}

}  // namespace
}  // namespace lab::ptx
