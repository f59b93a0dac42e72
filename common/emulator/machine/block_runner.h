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

}  // namespace lab::machine
