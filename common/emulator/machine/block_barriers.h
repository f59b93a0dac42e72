// Barriers of a block: who waits at which, what is complete, and what a complete one means for the logs and the counts.
#pragma once

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Drops the order that barriers for parts of the block have made between its warps.
void forget_order(Block& block);
// Hands what is logged to the observer. Where nobody has written, nothing can clash.
void end_interval(Worker& worker, bool complete);
// Adds the work of the warp that was slowest since the block's last barrier.
void note_slowest(Worker& worker);
// No warp can run: releases those whose barrier is complete. False if none is (a deadlock, or barriers that differ).
bool release_barriers(Worker& worker);

}  // namespace lab::machine
