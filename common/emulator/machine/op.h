// A decoded instruction, and the state of the warp that it acts on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/machine/lanes.h"
#include "common/emulator/machine/launch.h"

namespace lab::machine {

struct Op;
struct Warp;
struct Block;
struct Worker;
struct FunctionCode;
struct KernelCode;

// Executes one instruction for the warp's active lanes. Returns the next one, or nullptr if the warp has to stop (barrier, end, fault, end
// of its time slice): then Warp::state has the reason, and the current path's `pc` the op to resume at.
using Handler = const Op* (*)(const Op*, Warp&);

// Last statement of a handler: continues with the op `next`. Under clang this is a tail call of its handler, which saves the return to the
// loop and gives each handler its own branch to predict. Elsewhere, and under sanitizers, it returns to the loop.
#if defined(__clang__) && !defined(LAB_NO_TAIL_CALLS)
#define LAB_CONTINUE(next, warp) [[clang::musttail]] return (next)->run[(warp).partial]((next), (warp))
#else
#define LAB_CONTINUE(next, warp) return (next)
#endif

// Offsets are bytes from the start of the frame.
struct Op {
    Handler run[2] = {nullptr, nullptr};  // [0]: all 32 lanes active; [1]: any mask
    std::uint32_t dst = 0, a = 0, b = 0, c = 0;
    std::int64_t offset = 0;     // memory: added to the address; also a general immediate
    const Op* target = nullptr;  // branch: destination; block entry: its own reconvergence key is its address
    const Op* reconvergence = nullptr;
    std::uint32_t index = 0;      // PTX instruction in its function, for its source line
    std::uint32_t memory_id = 0;  // index among the memory instructions of the kernel
    std::uint32_t extra = 0;      // meaning depends on the handler
    std::uint8_t flags = 0;
    std::uint8_t width = 0;   // memory: bytes of one element
    std::uint8_t vector = 1;  // memory: elements
    std::uint8_t kind = 0;
    const void* detail = nullptr;  // handler's own decoded data, owned by FunctionCode
    FunctionCode* function = nullptr;
};

// Work that a basic block adds to a warp's and the launch's counts at each execution.
struct BlockWork {
    std::uint32_t instructions = 0, dependent_q6 = 0, global_waits_q4 = 0, shared_waits_q4 = 0, fp32 = 0, fp64 = 0, special = 0;
};

struct Frame {
    std::vector<std::byte> storage;
    std::byte* base = nullptr;  // 64-byte aligned start of the registers
    FunctionCode* function = nullptr;
    std::uint32_t users = 0;  // paths that run in it
};

// One of the warp's paths after divergence: lanes that execute together. The current path is the last of Warp::paths.
struct Path {
    Mask mask = 0;
    const Op* pc = nullptr;
    const Op* reconvergence = nullptr;  // reaching this op ends the path (its lanes continue in the path below)
    Frame* frame = nullptr;
    bool waiting = false;  // stopped at a barrier or at a warp-level synchronisation
};

enum class WarpState : std::uint8_t { ready, barrier, done, fault };

// The machine's record of a fault; the observers write its text.
struct Violation {
    FindingKind kind = FindingKind::trap;
    const Op* op = nullptr;
    const Op* other_op = nullptr;
    Dim3 block;
    std::uint32_t warp = 0;
    unsigned lane = 0;
    Mask lanes = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    ptx::Space space = ptx::Space::global;
    bool is_store = false;
    Mask members = 0;              // that a warp-level operation names
    std::string text;              // assertion text, or what is unsupported
    bool waits_for_block = false;  // endless: for a block that has not started
};

struct AccessPattern;

// Last execution of one memory instruction by one warp: most executions repeat it with another base.
struct AccessSlot {
    const AccessPattern* pattern = nullptr;
    std::uint64_t base = 0;           // first active lane's address register, when `pattern` was last used
    std::uint64_t low = 1, high = 0;  // device addresses that `to_host` holds for; empty at first
    std::uint64_t to_host = 0;        // host pointer - device address
    bool watched = false;             // accesses to these have effects besides a count: one of the next two
    bool logged = false;
    bool mapped = false;              // counted separately
    std::uint64_t seen_in_block = 0;  // serial number (Worker::block_serial) of the block in which `pattern` was last used
    bool group_checked = false;       // the whole group of loads that this one leads was in bounds, counted and logged
};

struct Warp {
    std::byte* registers = nullptr;  // of the current frame
    Mask mask = 0;                   // active lanes of the current path
    std::uint32_t partial = 0;       // mask != all_lanes
    std::int64_t budget = 0;         // warp instructions left in this time slice
    const Op* reconvergence = nullptr;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    // Of the block so far, as the next.
    std::uint64_t sass_instructions = 0, dependent_q6 = 0, global_waits_q4 = 0, shared_waits_q4 = 0;
    WarpWork at_barrier;  // what it had done when its block's last barrier was passed
    Mask unguarded = 0;   // mask to go back to after a guarded instruction
    Mask live = 0;        // lanes that exist and have not exited
    Mask started = 0;     // lanes that exist
    WarpState state = WarpState::ready;
    std::uint32_t index = 0;  // in the block
    Block* block = nullptr;
    Worker* worker = nullptr;
    AccessSlot* slots = nullptr;  // [memory_id]
    std::vector<Path> paths;
    std::byte* local = nullptr;  // [lane][local_bytes]
    std::uint32_t local_bytes = 0;
    // Barrier that the warp waits at.
    const Op* barrier_op = nullptr;
    std::uint32_t barrier_id = 0;
    std::uint32_t barrier_threads = 0;  // 0: all of the block
    std::uint32_t sync_epoch = 0;       // counts warp-level synchronisations, for the race log
    std::vector<Mask> sync_members;     // lanes that took part in each of those, by epoch since the block's last barrier
    std::uint32_t first_epoch = 0;      // the epoch that sync_members[0] ended
    bool noted = false;                 // an access was logged since the last synchronisation
    std::uint32_t barrier_clock = 0;    // counts barriers for a part of the block since the last one for all of it
    std::uint32_t slices_on_path = 0;   // time slices in a row that ended with the same lanes,
    Mask slice_lanes = 0;               // namely these
    std::uint64_t clock = 0;            // instructions of this warp before the current block of code

    void set_mask(Mask value) {
        mask = value;
        partial = value == all_lanes ? 0U : 1U;
    }
};

template <class T>
[[nodiscard]] inline Storage<T>* lanes_of(Warp& warp, std::uint32_t offset) {
    return reinterpret_cast<Storage<T>*>(warp.registers + offset);
}
[[nodiscard]] inline Mask& predicate(Warp& warp, std::uint32_t offset) { return *reinterpret_cast<Mask*>(warp.registers + offset); }

}  // namespace lab::machine
