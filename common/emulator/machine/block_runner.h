// Runs blocks on one worker, one at a time: warps round-robin until all have ended, barriers in between.
#pragma once

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Which block of the grid number `linear` is.
[[nodiscard]] Dim3 block_at(const LaunchConfig& config, std::uint64_t linear);
// Index of the block at this position of the scheduling order (LaunchConfig::order).
[[nodiscard]] std::uint64_t block_at_position(const LaunchConfig& config, std::uint64_t position);
// Sizes the worker's buffers for the launch; once.
void prepare_worker(Worker& worker);
// Runs the block at `position`. False when it stopped at a fault, which is then in Worker::violation.
bool run_block(Worker& worker, std::uint64_t position);
// Fills in what differs from block to block.
void refresh_for_block(Frame& frame, const Warp& warp);

}  // namespace lab::machine
