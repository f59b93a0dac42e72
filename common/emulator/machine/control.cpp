#include "common/emulator/machine/control.h"

#include <algorithm>

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

namespace {

void adopt(Warp& warp, const Path& path) {
    warp.set_mask(path.mask);
    warp.reconvergence = path.reconvergence;
    warp.registers = path.frame->base;
}

void drop_frame(Warp& warp, Frame* frame) {
    if (--frame->users != 0) return;
    if (frame == warp.worker->kernel_frames[warp.index]) return;
    warp.worker->spare_frames[frame->function].push_back(frame);
}

void push_path(Warp& warp, const Path& path) {
    ++path.frame->users;
    warp.paths.push_back(path);
}

void pop_path(Warp& warp) {
    Frame* frame = warp.paths.back().frame;
    warp.paths.pop_back();
    drop_frame(warp, frame);
}

// Moves a runnable path to the top: one with lanes, not waiting, and none of its lanes in a path above. False if there is none.
bool raise_runnable(Warp& warp) {
    Mask above = 0;
    for (std::size_t i = warp.paths.size(); i-- > 0;) {
        const Path& path = warp.paths[i];
        if (path.mask != 0 && !path.waiting && (path.mask & above) == 0) {
            std::rotate(warp.paths.begin() + static_cast<std::ptrdiff_t>(i), warp.paths.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        warp.paths.end());
            return true;
        }
        above |= path.mask;
    }
    return false;
}

}  // namespace

const Op* next_path(Warp& warp) {
    while (true) {
        if (warp.paths.empty()) {
            warp.state = WarpState::done;
            return nullptr;
        }
        Path& top = warp.paths.back();
        if (top.mask == 0) {
            pop_path(warp);
            continue;
        }
        if (top.waiting && !raise_runnable(warp)) {
            if (complete_warp_sync(warp)) continue;  // the lanes that they waited for have exited
            const Path& stopped = warp.paths.back();
            adopt(warp, stopped);
            return stopped.pc->run[1] == &barrier ? settle_barrier(stopped.pc, warp) : stuck(stopped.pc, warp);
        }
        const Path& next = warp.paths.back();
        adopt(warp, next);
        return next.pc;
    }
}

const Op* enter_block(const Op* op, Warp& warp) {
    if (op == warp.reconvergence) [[unlikely]] {
        pop_path(warp);
        return next_path(warp);
    }
    if (warp.budget < 0) [[unlikely]] {
        warp.paths.back().pc = op;
        warp.state = WarpState::ready;
        return nullptr;
    }
    warp.budget -= op->extra;
    warp.warp_instructions += op->extra;
    const BlockWork& work = *static_cast<const BlockWork*>(op->detail);
    warp.sass_instructions += work.instructions;
    warp.dependent_q6 += work.dependent_q6;
    warp.global_waits_q4 += work.global_waits_q4;
    warp.shared_waits_q4 += work.shared_waits_q4;
    Counters& counters = warp.worker->counters;
    counters.fp32_instructions += work.fp32;
    counters.fp64_instructions += work.fp64;
    counters.special_instructions += work.special;
    warp.thread_instructions += std::uint64_t{op->extra} * lane_count(warp.mask);
    LAB_CONTINUE(op + 1, warp);
}

const Op* jump(const Op* op, Warp& warp) {
    ++warp.worker->counters.branches;
    LAB_CONTINUE(op->target, warp);
}

const Op* branch(const Op* op, Warp& warp) {
    Mask taken = predicate(warp, op->a);
    if ((op->flags & flag_negated) != 0) taken = ~taken;
    taken &= warp.mask;
    ++warp.worker->counters.branches;
    if (taken == warp.mask) LAB_CONTINUE(op->target, warp);
    if (taken == 0) LAB_CONTINUE(op + 1, warp);
    ++warp.worker->counters.divergent_branches;
    Path& current = warp.paths.back();
    Frame* frame = current.frame;
    const Mask others = warp.mask & ~taken;
    current.pc = op->reconvergence;
    const Op* reconvergence = op->reconvergence;
    // A side that is already at the reconvergence point has nothing to execute.
    if (op + 1 != reconvergence) push_path(warp, {others, op + 1, reconvergence, frame, false});
    if (op->target != reconvergence) push_path(warp, {taken, op->target, reconvergence, frame, false});
    const Path& top = warp.paths.back();
    adopt(warp, top);
    return top.pc;
}

const Op* branch_indexed(const Op* op, Warp& warp) {
    const auto& targets = *static_cast<const std::vector<const Op*>*>(op->detail);
    const auto* index = lanes_of<std::uint32_t>(warp, op->a);
    const auto target_of = [&](unsigned lane) { return targets[std::min<std::size_t>(index[lane], targets.size() - 1)]; };
    ++warp.worker->counters.branches;
    const Mask all = warp.mask;
    Frame* frame = warp.paths.back().frame;
    warp.paths.back().pc = op->reconvergence;
    bool first = true;
    for (Mask left = all; left != 0;) {
        const Op* target = target_of(first_lane(left));
        const Mask same = lanes_with(target, left, target_of);
        left &= ~same;
        if (same == all) return target;
        if (first) ++warp.worker->counters.divergent_branches;
        first = false;
        if (target != op->reconvergence) push_path(warp, {same, target, op->reconvergence, frame, false});
    }
    return next_path(warp);
}

const Op* guard(const Op* op, Warp& warp) {
    Mask active = predicate(warp, op->a);
    if ((op->flags & flag_negated) != 0) active = ~active;
    active &= warp.mask;
    if (active == 0) LAB_CONTINUE(op + 3, warp);
    warp.unguarded = warp.mask;
    warp.set_mask(active);
    LAB_CONTINUE(op + 1, warp);
}

const Op* unguard(const Op* op, Warp& warp) {
    warp.set_mask(warp.unguarded);
    LAB_CONTINUE(op + 1, warp);
}

const Op* leave(const Op* op, Warp& warp) {
    Mask lanes = warp.mask;
    if ((op->flags & flag_guarded) != 0) {
        Mask active = predicate(warp, op->a);
        if ((op->flags & flag_negated) != 0) active = ~active;
        lanes &= active;
        if (lanes == 0) return op + 1;
    }
    Frame* frame = warp.paths.back().frame;
    const bool exits = op->kind != 0 || frame == warp.worker->kernel_frames[warp.index];
    if (exits) {
        warp.block->exited_threads += lane_count(warp.live & lanes);
        warp.live &= ~lanes;
        for (Path& path : warp.paths) path.mask &= ~lanes;
    } else {
        // Returns to the caller: the lanes leave every path of this frame; the caller's path below still has them.
        const auto* back = static_cast<const CallDetail*>(nullptr);
        std::byte* caller = nullptr;
        for (std::size_t i = warp.paths.size(); i-- > 0;) {
            Path& path = warp.paths[i];
            if (path.frame == frame) {
                path.mask &= ~lanes;
            } else if ((path.mask & lanes) != 0) {
                back = static_cast<const CallDetail*>((path.pc - 1)->detail);
                caller = path.frame->base;
                break;
            }
        }
        for (std::size_t i = 0; back != nullptr && i < back->results.size(); ++i) {
            const ParamSlot& from = frame->function->results[i];
            const ParamSlot& to = back->results[i];
            const std::uint32_t bytes = std::min(from.lane_bytes, to.lane_bytes);
            for (Mask left = lanes; left != 0; left &= left - 1) {
                const unsigned lane = first_lane(left);
                std::memcpy(caller + to.offset + std::size_t{lane} * to.lane_bytes,
                            frame->base + from.offset + std::size_t{lane} * from.lane_bytes, bytes);
            }
        }
    }
    if ((warp.mask & ~lanes) != 0) {
        warp.set_mask(warp.mask & ~lanes);
        return op + 1;
    }
    // Paths in the middle of the stack may have become empty, too.
    for (std::size_t i = warp.paths.size(); i-- > 0;) {
        if (warp.paths[i].mask != 0) continue;
        Frame* empty = warp.paths[i].frame;
        warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(i));
        drop_frame(warp, empty);
    }
    return next_path(warp);
}

namespace {

// Pushes a path that runs `callee` for `lanes`; false if the stack is full.
bool enter_function(const Op* op, Warp& warp, FunctionCode& callee, const CallDetail& detail, Mask lanes, const Path& caller) {
    constexpr std::size_t deepest = 1U << 12U;
    FunctionCode& from_function = *caller.frame->function;
    const std::byte* from_base = caller.frame->base;
    const std::uint64_t caller_local = *reinterpret_cast<const std::uint64_t*>(from_base + from_function.local_base);
    const std::uint64_t callee_local = caller_local + from_function.local_bytes;
    if (warp.paths.size() > deepest || callee_local + callee.local_bytes > warp.local_bytes) {
        Violation violation{.kind = FindingKind::out_of_bounds,
                            .lane = first_lane(lanes),
                            .lanes = lanes,
                            .address = callee_local,
                            .space = ptx::Space::local,
                            .text = "the stack of device functions is full: calls are nested too deep"};
        violate(op, warp, std::move(violation));
        return false;
    }
    Frame* frame = take_frame(warp, callee);
    for (std::size_t i = 0; i < detail.arguments.size() && i < callee.parameters.size(); ++i) {
        const ParamSlot& from = detail.arguments[i];
        const ParamSlot& to = callee.parameters[i];
        const std::uint32_t bytes = std::min(from.lane_bytes, to.lane_bytes);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            std::memcpy(frame->base + to.offset + std::size_t{lane} * to.lane_bytes,
                        from_base + from.offset + std::size_t{lane} * from.lane_bytes, bytes);
        }
    }
    auto* local = reinterpret_cast<std::uint64_t*>(frame->base + callee.local_base);
    std::fill(local, local + warp_size, callee_local);
    push_path(warp, {lanes, callee.ops.data(), nullptr, frame, false});
    return true;
}

}  // namespace

const Op* call(const Op* op, Warp& warp) {
    const auto& detail = *static_cast<const CallDetail*>(op->detail);
    warp.paths.back().pc = op + 1;
    const Path caller = warp.paths.back();
    if (!enter_function(op, warp, *detail.callee, detail, warp.mask, caller)) return nullptr;
    adopt(warp, warp.paths.back());
    return detail.callee->ops.data();
}

const Op* call_indirect(const Op* op, Warp& warp) {
    const auto& detail = *static_cast<const CallDetail*>(op->detail);
    const auto* pointers = lanes_of<std::uint64_t>(warp, op->a);
    warp.paths.back().pc = op + 1;
    const Path caller = warp.paths.back();
    for (Mask left = warp.mask; left != 0;) {
        const unsigned lane = first_lane(left);
        const auto target = detail.targets.find(pointers[lane]);
        if (target == detail.targets.end()) {
            return violate(op, warp,
                           {.kind = FindingKind::null_pointer,
                            .lane = lane,
                            .lanes = 1U << lane,
                            .text = "call through a pointer that is no device function"});
        }
        const Mask same = lanes_with(pointers[lane], left, [&](unsigned other) { return pointers[other]; });
        left &= ~same;
        if (!enter_function(op, warp, *target->second, detail, same, caller)) return nullptr;
    }
    return next_path(warp);
}

void start_warp(Warp& warp, Frame* frame, const Op* entry, Mask lanes) {
    warp.paths.clear();
    frame->users = 0;
    warp.live = lanes;
    warp.started = lanes;
    warp.state = WarpState::ready;
    warp.sync_epoch = 0;
    warp.first_epoch = 0;
    warp.sync_members.clear();
    warp.noted = false;
    warp.barrier_clock = 0;
    warp.slices_on_path = 0;
    push_path(warp, {lanes, entry, nullptr, frame, false});
}

void run_warp(Warp& warp, std::int64_t slice) {
    warp.budget = slice;
    const Op* op = next_path(warp);
    while (op != nullptr) op = op->run[warp.partial](op, warp);
}

}  // namespace lab::machine
