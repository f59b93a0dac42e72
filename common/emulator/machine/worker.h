// One host thread's share of a launch: its current block, and its counts so far.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/emulator/machine/access_pattern.h"
#include "common/emulator/machine/code.h"
#include "common/emulator/machine/contended_lines.h"
#include "common/emulator/machine/observer.h"
#include "common/emulator/machine/op.h"

namespace lab::machine {

// Counts of one memory instruction over all warps of this worker.
struct AccessCounts {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;
    std::uint64_t cost = 0;   // sectors, or wavefronts
    std::uint64_t extra = 0;  // transactions, or wavefronts beyond the ideal
    std::uint64_t lines = 0;  // of 128 bytes; 0 for shared and constant memory
};

struct LaunchShared;  // state shared by all workers of a launch

// Warp instructions after which a launch starts further threads. Starting a thread takes as long as some 5000 of them.
inline constexpr std::uint64_t alone_instructions = 5000;

struct Block {
    Dim3 index;
    std::uint64_t linear = 0;
    std::uint64_t position = 0;  // in the scheduling order of the blocks
    std::vector<std::byte> shared_storage;
    std::byte* shared = nullptr;
    std::uint32_t shared_bytes = 0;
    std::vector<SharedAccess> log;  // accesses since the last barrier of the whole block: the first `log_used`
    std::size_t log_used = 0;
    [[nodiscard]] std::span<const SharedAccess> logged() const { return {log.data(), log_used}; }
    bool log_has_write = false;                     // since the last barrier of the whole block
    std::vector<GlobalAccess> global_log;           // of watched memory, not yet passed to the observer
    std::vector<LineAccess> sampled;                // of all global memory, if the block is sampled: the first ones of each warp
    std::array<std::uint32_t, 32> sampled_lines{};  // their number for each warp
    std::array<std::uint32_t, 32> sampled_constants{};
    std::uint32_t interval = 0;  // barriers of the whole block so far
    std::uint32_t exited_threads = 0;
    bool interval_open = false;  // a part of the interval has been passed to the observer
    std::vector<Warp> warps;
    std::array<std::uint32_t, 16> arrived{};  // threads that bar.arrive has added, by barrier
    WarpOrder ordered{};
    std::array<std::array<std::uint32_t, 32>, 16> arrived_order{};  // happened-before order of all arrivals, by barrier
};

struct Worker {
    const KernelCode* kernel = nullptr;
    const LaunchConfig* config = nullptr;
    const Memory* memory = nullptr;
    const AccessRules* rules = nullptr;
    LaunchShared* launch = nullptr;
    bool shuffles_from_ended = false;    // see Outcome
    std::function<void()> start_others;  // the first worker's: called once it has run `alone_instructions`; then empty
    BlockObserver* observer = nullptr;
    const Observer* observes = nullptr;  // the observer that made `observer`
    bool log_shared = false;
    bool log_global = false;
    std::uint32_t samples = 0;  // cache lines per warp of the current block that LaunchConfig::sampler wants

    Block block;
    PatternStore patterns;
    std::vector<AccessCounts> counts;                                     // [memory_id]
    std::vector<AccessSlot> slots;                                        // [warp][memory_id]
    std::vector<std::byte> local;                                         // [warp][lane][local bytes]
    std::vector<std::uint8_t> local_written;                              // a flag for each of those bytes; empty if unchecked
    std::vector<std::unique_ptr<Frame>> frames;                           // all frames
    std::vector<Frame*> kernel_frames;                                    // [warp]
    std::unordered_map<FunctionCode*, std::vector<Frame*>> spare_frames;  // of device functions, unused
    Counters counters;                                                    // branches, barriers, instructions, mapped memory
    ContendedLines contended;
    std::optional<Violation> violation;
    std::vector<std::string> printed;  // of the current block
    std::size_t printed_bytes = 0;
    std::uint64_t block_serial = 0;  // counts the blocks that this worker has started, from 1
    const std::byte* parameters = nullptr;
    std::uint64_t executed = 0;                       // warp instructions of the last block
    std::uint64_t executed_before = 0;                // of the blocks before it
    std::uint64_t next_look = 0;                      // warp instructions of the block after which to look whether it waits,
    std::uint64_t progress = 0, polls = 0;            // a hash of its progress, and its polls, at the last look,
    bool waits = false;                               // and whether it only polled before that
    alignas(64) std::array<std::byte, 64> nowhere{};  // target of out-of-bounds accesses that no observer forbids

    // Drops all patterns that are no longer needed; called when the store is full.
    void forget_patterns();
};

}  // namespace lab::machine
