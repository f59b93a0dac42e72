
#include <algorithm>
#include <utility>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

namespace {

// After a barrier of the whole block, earlier synchronisations no longer matter.
void forget_syncs(Block& block) {
    for (Warp& warp : block.warps) {
        warp.first_epoch = warp.sync_epoch;
        warp.sync_members.clear();
    }
}

// Happens-before at a barrier: everything that the arriving warps, and those that arrived before, have done precedes everything that the
// waiting warps do next.
void order_warps(Block& block, std::uint32_t id) {
    auto merged = block.arrived_order[id];
    const auto waits_there = [&](const Warp& warp) { return warp.state == WarpState::barrier && (warp.barrier_id & 15U) == id; };
    for (const Warp& warp : block.warps) {
        if (!waits_there(warp)) continue;
        const auto& before = block.ordered[warp.index];
        for (std::size_t i = 0; i < merged.size(); ++i) merged[i] = std::max(merged[i], before[i]);
        merged[warp.index] = std::max(merged[warp.index], warp.barrier_clock + 1);
    }
    for (Warp& warp : block.warps) {
        if (!waits_there(warp)) continue;
        block.ordered[warp.index] = merged;
        ++warp.barrier_clock;
    }
    block.arrived_order[id] = {};
}

// All warps wait at one of the block's reductions: computes the result and writes it to every lane.
void reduce_at_barrier(Block& block, std::uint32_t id) {
    using Reduction = BarrierDetail::Reduction;
    std::uint32_t count = 0;
    std::uint32_t threads = 0;
    for (Warp& warp : block.warps) {
        if (warp.state != WarpState::barrier || warp.barrier_id != id) continue;
        const auto& detail = *static_cast<const BarrierDetail*>(warp.barrier_op->detail);
        if (detail.reduction == Reduction::none) return;
        const Mask input = predicate(warp, detail.predicate);
        count += lane_count((detail.negated ? ~input : input) & warp.live);
        threads += lane_count(warp.live);
    }
    for (Warp& warp : block.warps) {
        if (warp.state != WarpState::barrier || warp.barrier_id != id) continue;
        const auto& detail = *static_cast<const BarrierDetail*>(warp.barrier_op->detail);
        if (detail.reduction == Reduction::count) {
            auto* to = lanes_of<std::uint32_t>(warp, detail.result);
            for (Mask left = warp.live; left != 0; left &= left - 1) to[first_lane(left)] = count;
        } else {
            const bool value = detail.reduction == Reduction::all ? count == threads : count != 0;
            Mask& to = predicate(warp, detail.result);
            to = value ? to | warp.live : to & ~warp.live;
        }
    }
}

std::uint32_t source_line(const Op* op) { return op->function->source->body[op->index].where.line; }

// Two warps wait at different barriers: at different ids, or at different source lines.
bool report_different_barriers(Worker& worker) {
    const Warp* first = nullptr;
    for (Warp& warp : worker.block.warps) {
        if (warp.state != WarpState::barrier) continue;
        if (first == nullptr) {
            first = &warp;
            continue;
        }
        if (warp.barrier_op == first->barrier_op ||
            (source_line(warp.barrier_op) == source_line(first->barrier_op) && warp.barrier_id == first->barrier_id))
            continue;
        Violation violation{.kind = FindingKind::divergent_barrier,
                            .op = first->barrier_op,
                            .other_op = warp.barrier_op,
                            .block = worker.block.index,
                            .warp = warp.index,
                            .lane = first_lane(warp.live),
                            .lanes = warp.live};
        if (worker.observes == nullptr || !worker.observes->forbids(violation)) return false;
        if (!worker.violation) worker.violation = std::move(violation);
        return true;
    }
    return false;
}

// The most frequent case: all live warps wait at the same plain __syncthreads().
bool all_at_one_barrier(const Block& block) {
    const Warp* first = nullptr;
    for (const Warp& warp : block.warps) {
        if (warp.state == WarpState::done) continue;
        if (first == nullptr) first = &warp;
        if (warp.barrier_op != first->barrier_op || warp.barrier_id != first->barrier_id || warp.barrier_threads != 0) return false;
    }
    const auto& detail = *static_cast<const BarrierDetail*>(first->barrier_op->detail);
    return detail.reduction == BarrierDetail::Reduction::none && block.arrived[first->barrier_id & 15U] == 0;
}

}  // namespace

void forget_order(Block& block) {
    block.ordered = {};
    block.arrived_order = {};
    for (Warp& warp : block.warps) warp.barrier_clock = 0;
}

void end_interval(Worker& worker, bool complete) {
    Block& block = worker.block;
    const bool can_matter = block.log_has_write || block.interval_open || !complete ||
                            (worker.observer != nullptr && worker.log_shared && worker.observer->wants_intervals_of_reads());
    if (worker.observer != nullptr && worker.log_shared && can_matter) worker.observer->shared_interval(block, block.logged(), complete);
    block.log_used = 0;
    block.interval_open = !complete;
    if (!complete) return;
    block.log_has_write = false;
    ++block.interval;
    forget_syncs(block);
    if (worker.kernel->has_named_barriers) forget_order(block);
}

void note_slowest(Worker& worker) {
    // Clocks in Q4, only to find that warp. A result can be used after four clocks, so Q6 of dependent instructions is Q4 of clocks.
    static_assert(one_q6 == 4 * one_q4);
    constexpr std::uint64_t global_wait = 280;  // clocks of a load from L2
    constexpr std::uint64_t shared_wait = 30;
    WarpWork slowest;
    std::uint64_t longest = 0;
    for (Warp& warp : worker.block.warps) {
        const WarpWork now{warp.dependent_q6, warp.global_waits_q4, warp.shared_waits_q4};
        const WarpWork did{now.dependent_q6 - warp.at_barrier.dependent_q6, now.global_waits_q4 - warp.at_barrier.global_waits_q4,
                           now.shared_waits_q4 - warp.at_barrier.shared_waits_q4};
        warp.at_barrier = now;
        const std::uint64_t took = did.dependent_q6 + did.global_waits_q4 * global_wait + did.shared_waits_q4 * shared_wait;
        if (took <= longest) continue;
        longest = took;
        slowest = did;
    }
    worker.counters.slowest += slowest;
}

bool release_barriers(Worker& worker) {
    Block& block = worker.block;
    note_slowest(worker);
    ++worker.counters.block_barriers;
    worker.counters.exited_at_barriers += block.exited_threads;
    if (all_at_one_barrier(block)) {
        end_interval(worker, true);
        for (Warp& warp : block.warps) {
            if (warp.state == WarpState::barrier) release_warp(warp);
        }
        return true;
    }
    std::uint32_t waiting[16] = {};
    std::uint32_t wanted[16] = {};
    bool whole[16] = {};
    std::uint32_t live_threads = 0;
    for (const Warp& warp : block.warps) {
        if (warp.state == WarpState::done) continue;
        live_threads += static_cast<std::uint32_t>(warp_size);
        const std::uint32_t id = warp.barrier_id & 15U;
        waiting[id] += warp_size;  // barriers count whole warps (PTX ISA, bar)
        wanted[id] = std::max(wanted[id], warp.barrier_threads);
        whole[id] = whole[id] || warp.barrier_threads == 0;
    }
    if (!worker.kernel->has_named_barriers && report_different_barriers(worker)) return false;
    bool any = false;
    for (std::uint32_t id = 0; id < 16; ++id) {
        if (waiting[id] == 0) continue;
        if (waiting[id] + block.arrived[id] < (whole[id] ? live_threads : wanted[id])) continue;
        // A barrier for all counts exited threads as arrived; one for some orders only the threads that wait there.
        const bool complete = waiting[id] == (whole[id] ? live_threads : block.warps.size() * warp_size);
        end_interval(worker, complete);
        if (!complete) order_warps(block, id);
        // Global memory is checked in less detail: after such a barrier all earlier accesses count as ordered.
        if (!complete) ++block.interval;
        reduce_at_barrier(block, id);
        block.arrived[id] = 0;
        for (Warp& warp : block.warps) {
            if (warp.state == WarpState::barrier && (warp.barrier_id & 15U) == id) release_warp(warp);
        }
        any = true;
    }
    if (!any) report_different_barriers(worker);
    return any;
}

void note_arrival(Warp& warp, std::uint32_t id) {
    Block& block = *warp.block;
    block.arrived[id] += warp_size;  // barriers count whole warps (PTX ISA, bar)
    auto& order = block.arrived_order[id];
    const auto& before = block.ordered[warp.index];
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::max(order[i], before[i]);
    order[warp.index] = ++warp.barrier_clock;
}

}  // namespace lab::machine
