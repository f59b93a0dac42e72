// Runs blocks on one worker, one at a time: warps in turn until all have ended, barriers in between.
#pragma once

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Which block of the grid number `linear` is.
[[nodiscard]] Dim3 block_at(const LaunchConfig& config, std::uint64_t linear);
// Sizes the worker's buffers for the launch; once.
void prepare_worker(Worker& worker);
// Runs block number `linear` of the grid. False when it stopped at a fault, which is then in Worker::violation.
bool run_block(Worker& worker, std::uint64_t linear);
// Fills in what differs from block to block.
void refresh_for_block(Frame& frame, const Warp& warp);

}  // namespace lab::machine
