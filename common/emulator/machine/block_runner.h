// Runs blocks on one worker, one at a time: warps are scheduled round-robin until all have ended, with barriers in between.
#pragma once

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Index in the grid of block number `linear`.
[[nodiscard]] Dim3 block_at(const LaunchConfig& config, std::uint64_t linear);
// Index of the block at this position of the scheduling order (LaunchConfig::order).
[[nodiscard]] std::uint64_t block_at_position(const LaunchConfig& config, std::uint64_t position);
// Sizes the worker's buffers, once a launch.
void prepare_worker(Worker& worker);
// Runs the block at `position`. False if it stopped at a fault, which is then in Worker::violation.
bool run_block(Worker& worker, std::uint64_t position);
// Sets the values that differ from block to block.
void refresh_for_block(Frame& frame, const Warp& warp);

// Drops the order that barriers of parts of the block have established between its warps.
void forget_order(Block& block);
// Passes the logged accesses to the observer. Without a write there can be no conflict.
void end_interval(Worker& worker, bool complete);
// Adds the work of the warp that was slowest since the block's last barrier.
void note_slowest(Worker& worker);
// Called when no warp can run: releases the warps whose barrier is complete. False if none is (a deadlock, or divergent barriers).
bool release_barriers(Worker& worker);

}  // namespace lab::machine
