// A warp at a barrier of its block: arrived lanes, and the handling of missing ones.
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

namespace {

const BarrierDetail& detail_of(const Op* op) { return *static_cast<const BarrierDetail*>(op->detail); }

bool waits_at_barrier(const Path& path) { return path.waiting && path.pc->run[1] == &barrier; }

std::uint32_t id_of(const Path& path) {
    return reinterpret_cast<const std::uint32_t*>(path.frame->base + detail_of(path.pc).id)[first_lane(path.mask)];
}

// Whether two __syncthreads() are one for the hardware, which since compute capability 7.0 counts threads at any barrier instruction. Not
// so if the barrier has a result or a number of threads.
bool counts_as_one(const Path& one, const Path& other) {
    for (const Path* path : {&one, &other}) {
        const BarrierDetail& detail = detail_of(path->pc);
        if (detail.reduction != BarrierDetail::Reduction::none || detail.threads != BarrierDetail::no_slot) return false;
    }
    return id_of(one) == id_of(other);
}

Violation divergent(const Path& path) {
    Violation violation{.kind = FindingKind::divergent_barrier, .other_op = path.pc, .lane = first_lane(path.mask), .lanes = path.mask};
    return violation;
}

}  // namespace

// All live lanes of the warp wait at barriers, or can't run before those that do.
const Op* settle_barrier(const Op* op, Warp& warp) {
    Mask waiting = 0;
    for (const Path& path : warp.paths) {
        if (waits_at_barrier(path)) waiting |= path.mask;
    }
    if (waiting != warp.live) return stuck(op, warp);
    const Path& here = warp.paths.back();
    for (const Path& path : warp.paths) {
        if (!path.waiting || path.pc == op) continue;
        if (report_violation(op, warp, divergent(path))) return nullptr;
        if (!counts_as_one(here, path)) return violate(op, warp, divergent(path));
    }
    const BarrierDetail& detail = detail_of(op);
    warp.state = WarpState::barrier;
    warp.barrier_op = op;
    const unsigned lane = first_lane(here.mask);
    warp.barrier_id = lanes_of<std::uint32_t>(warp, detail.id)[lane];
    warp.barrier_threads = detail.threads == BarrierDetail::no_slot ? 0 : lanes_of<std::uint32_t>(warp, detail.threads)[lane];
    ++warp.worker->counters.barriers;
    return nullptr;
}

// Some lanes wait for others, which wait at the reconvergence point or elsewhere. Since compute capability 7.0 those at the reconvergence
// point proceed.
const Op* stuck(const Op* op, Warp& warp) {
    Violation violation;
    violation.kind = FindingKind::divergent_barrier;
    Mask here = 0;
    for (const Path& path : warp.paths) {
        if (path.waiting && path.pc == op) here |= path.mask;
    }
    violation.lanes = warp.live & ~here;
    violation.lane = first_lane(violation.lanes != 0 ? violation.lanes : warp.live);
    for (const Path& path : warp.paths) {
        if ((path.mask >> violation.lane & 1U) != 0) violation.other_op = path.pc;
    }
    if (report_violation(op, warp, violation)) return nullptr;
    if (let_lanes_below_run(warp)) return next_path(warp);
    return violate(op, warp, std::move(violation));
}

const Op* barrier(const Op* op, Warp& warp) {
    const BarrierDetail& detail = detail_of(op);
    if (detail.arrive_only) {
        const unsigned lane = first_lane(warp.mask);
        const std::uint32_t id = lanes_of<std::uint32_t>(warp, detail.id)[lane] & 15U;
        note_arrival(warp, id);
        return op + 1;
    }
    Path& current = warp.paths.back();
    current.pc = op;
    current.waiting = true;
    if (current.mask == warp.live) return settle_barrier(op, warp);
    return next_path(warp);
}

void release_warp(Warp& warp) {
    for (Path& path : warp.paths) {
        if (!path.waiting) continue;
        path.waiting = false;
        ++path.pc;
    }
    pass_sync(warp, all_lanes, true);
    warp.state = WarpState::ready;
}

}  // namespace lab::machine
