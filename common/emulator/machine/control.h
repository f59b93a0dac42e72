// Control flow of a warp: divergence and reconvergence, calls, barriers, warp-level synchronisation, end.
// A warp's lanes are split into paths (Path in op.h). At a branch that goes both ways the path becomes the one that
// will go on at the immediate post-dominator, and two new paths are put above it. A path that stops at a barrier or at a
// warp-level synchronisation waits there while the warp's other paths run, as threads may since compute capability 7.0.
#pragma once

#include <unordered_map>

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Handlers. Op fields:
//   enter_block: extra = instructions of the block; dst = those that SASS saves; b, c = waits for global and
//     for shared memory in it (Q4)
//   jump: target; branch: a = predicate, flags & flag_negated, target, reconvergence
//   guard: a = predicate: narrows the mask for the one op that follows, or skips it; unguard, behind that op, undoes it
//   leave: end of the function for the active lanes; flags & flag_guarded: only those with predicate a; kind 1: exit the kernel
//   call: detail = CallDetail; barrier: detail = BarrierDetail; warp_sync: detail = WarpSyncDetail
const Op* enter_block(const Op* op, Warp& warp);
const Op* jump(const Op* op, Warp& warp);
const Op* branch(const Op* op, Warp& warp);
const Op* branch_indexed(const Op* op, Warp& warp);
const Op* guard(const Op* op, Warp& warp);
const Op* unguard(const Op* op, Warp& warp);
const Op* leave(const Op* op, Warp& warp);
const Op* call(const Op* op, Warp& warp);
const Op* call_indirect(const Op* op, Warp& warp);
const Op* barrier(const Op* op, Warp& warp);
const Op* warp_sync(const Op* op, Warp& warp);

// Op::flags of these.
inline constexpr std::uint8_t flag_guarded = 1;
inline constexpr std::uint8_t flag_negated = 2;  // what counts is that predicate a is false

struct CallDetail {
    FunctionCode* callee = nullptr;                            // null: called through a pointer, in the 64-bit slot Op::a
    std::unordered_map<std::uint64_t, FunctionCode*> targets;  // then, by address
    std::vector<ParamSlot> arguments, results;                 // in the caller's frame, one for each of the callee's
};

struct BarrierDetail {
    std::uint32_t id = 0;       // frame offset of a 32-bit slot: the barrier's number
    std::uint32_t threads = 0;  // frame offset of a 32-bit slot, or no_slot: all threads of the block
    static constexpr std::uint32_t no_slot = 0xffffffffU;
    enum class Reduction : std::uint8_t { none, all, any, count } reduction = Reduction::none;
    bool negated = false;
    std::uint32_t predicate = 0;  // input of the reduction
    std::uint32_t result = 0;     // predicate, or 32-bit slot for count
    bool arrive_only = false;
};

struct WarpSyncDetail {
    std::uint32_t members = 0;                      // frame offset of a 32-bit slot: the member mask
    void (*run)(const Op*, Warp&, Mask) = nullptr;  // null: __syncwarp
};

// The warp's top path has ended or begun to wait: goes on with another one. Null: none can run.
const Op* next_path(Warp& warp);
// The top path waits at the barrier `op`, and none of the warp's paths can run: the warp waits at the barrier, or stops with a fault.
const Op* settle_barrier(const Op* op, Warp& warp);
// The same where not all lanes wait at barriers.
const Op* stuck(const Op* op, Warp& warp);
// Makes a path of lanes that could run but for those in paths above theirs. False if there are none.
bool let_lanes_below_run(Warp& warp);

// Lets paths go on that wait for a warp-level synchronisation whose members that still live have all come. False if there is none.
bool complete_warp_sync(Warp& warp);
// For a synchronisation at which the active lanes name different members, as tiles of a warp do. Where each group is there
// already, all is done and false is returned; otherwise each has become a path of its own, which waits.
bool split_by_members(const Op* op, Warp& warp);

// The lanes `members` of the warp have synchronised. `orders_memory`: what they did before comes before what they do after;
// so it is for barriers and __syncwarp, but not for shuffles and votes (CUDA guide, warp shuffle functions), unless warps are
// taken to run in lockstep.
void pass_sync(Warp& warp, Mask members, bool orders_memory);

// Starts the warp at the kernel's first instruction.
void start_warp(Warp& warp, Frame* frame, const Op* entry, Mask lanes);
// Runs the warp until it stops; see Warp::state.
void run_warp(Warp& warp, std::int64_t slice);
// Lets the warp go on after the barrier that it waits at.
void release_warp(Warp& warp);
// Called when a time slice has ended: lanes of a warp that spin on one path for long may wait for other lanes of their own
// warp, which go first then, as on hardware since compute capability 7.0.
void let_other_lanes_run(Warp& warp);
// bar.arrive: the warp has come to the block's barrier `id` and goes on.
void note_arrival(Warp& warp, std::uint32_t id);
// A frame for a function, from the worker's spare ones; constants and special registers filled in.
Frame* take_frame(Warp& warp, FunctionCode& function);
void prepare_frame(Frame& frame, FunctionCode& function, Warp& warp);

}  // namespace lab::machine
