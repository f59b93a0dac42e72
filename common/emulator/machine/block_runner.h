// Runs blocks on one worker, one at a time: warps in turn until all have ended, barriers in between.
#pragma once

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Which block of the grid number `linear` is.
[[nodiscard]] Dim3 block_at(const LaunchConfig& config, std::uint64_t linear);
// The number of the block that has this turn: by LaunchConfig::order.
[[nodiscard]] std::uint64_t block_of_turn(const LaunchConfig& config, std::uint64_t turn);
// Sizes the worker's buffers for the launch; once.
void prepare_worker(Worker& worker);
// Runs the block whose turn it is. False when it stopped at a fault, which is then in Worker::violation.
bool run_block(Worker& worker, std::uint64_t turn);
// Fills in what differs from block to block.
void refresh_for_block(Frame& frame, const Warp& warp);

}  // namespace lab::machine
