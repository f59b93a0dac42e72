// Control flow of a warp: divergence and reconvergence, calls, barriers, warp-level synchronisation, exit. A warp's lanes are split into
// paths (Path in op.h). At a divergent branch the path becomes the one that continues at the immediate post-dominator, and two new paths
// are pushed above it. A path that stops at a barrier or at a warp-level synchronisation waits there while the warp's other paths run, like
// threads since compute capability 7.0.
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
inline constexpr std::uint8_t flag_negated = 2;  // predicate a is inverted

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

// Selects another path when the warp's top path has ended or begun to wait. Null: none can run.
const Op* next_path(Warp& warp);
// Called when the top path waits at the barrier `op` and no path of the warp can run: the warp waits at the barrier, or stops with a fault.
const Op* settle_barrier(const Op* op, Warp& warp);
// The same where not all lanes wait at barriers.
const Op* stuck(const Op* op, Warp& warp);
// Makes a path of lanes that are blocked only by paths above theirs. False if there are none.
bool let_lanes_below_run(Warp& warp);

// Releases paths that wait for a warp-level synchronisation whose live members have all arrived. False if there is none.
bool complete_warp_sync(Warp& warp);
// Handles a synchronisation at which the active lanes name different members, like tiles of a warp. If all groups are complete, it
// completes them and returns false; otherwise each becomes its own, waiting path.
bool split_by_members(const Op* op, Warp& warp);

// Records that the lanes `members` of the warp have synchronised. `orders_memory`: accesses before come before accesses after, as for
// barriers and __syncwarp, but not for shuffles and votes (CUDA guide, warp shuffle functions), unless warps are assumed to run in
// lockstep.
void pass_sync(Warp& warp, Mask members, bool orders_memory);

// Starts the warp at the kernel's first instruction.
void start_warp(Warp& warp, Frame* frame, const Op* entry, Mask lanes);
// Runs the warp until it stops; see Warp::state.
void run_warp(Warp& warp, std::int64_t slice);
// Releases the warp from the barrier that it waits at.
void release_warp(Warp& warp);
// Called at the end of a time slice. Lanes that spin on one path for long may wait for other lanes of their own warp, which then run first,
// as on hardware since compute capability 7.0.
void let_other_lanes_run(Warp& warp);
// bar.arrive: records the warp's arrival at the block's barrier `id`; the warp continues.
void note_arrival(Warp& warp, std::uint32_t id);
// Takes a frame for a function from the worker's free list; constants and special registers are set.
Frame* take_frame(Warp& warp, FunctionCode& function);
void prepare_frame(Frame& frame, FunctionCode& function, Warp& warp);

}  // namespace lab::machine
