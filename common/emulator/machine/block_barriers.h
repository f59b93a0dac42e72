// Barriers of a block: waiting warps, completion, and its effect on logs and counts.
#pragma once

#include "common/emulator/machine/worker.h"

namespace lab::machine {

// Drops the order that barriers of parts of the block have established between its warps.
void forget_order(Block& block);
// Passes the logged accesses to the observer. Without a write there can be no conflict.
void end_interval(Worker& worker, bool complete);
// Adds the work of the warp that was slowest since the block's last barrier.
void note_slowest(Worker& worker);
// Called when no warp can run: releases the warps whose barrier is complete. False if none is (a deadlock, or divergent barriers).
bool release_barriers(Worker& worker);

}  // namespace lab::machine
