// Where a warp waits for what it has loaded, as far as a kernel's text says so.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::timing {

// By instruction: whether it is a load with which a wait begins, of global (generic as well) or of shared memory. A warp goes on after a
// load until something needs the result; loads that it makes meanwhile arrive meanwhile. So of the loads that are under way together, the
// first is marked: how often it is executed says how often a warp has to wait for memory. Compilers move loads up, ahead of what doesn't
// concern them, so all loads of a basic block whose addresses don't come from one another count as made at its beginning; not across
// barriers, fences, atomics and stores to the same space. In a loop what counts is how it goes round, not how it is entered.
//
// Of an unrolled loop (unrolled_loops.h) the loads of all turns in one are under way together: a turn begins a part of a wait. In
// sixteenths of a wait.
struct LoadWaits {
    std::vector<std::uint8_t> global, shared;
    std::vector<std::uint32_t> parts;   // of the basic block that begins there: what its instructions take (warp_schedule.h)
    std::vector<std::uint32_t> spared;  // of the basic block that begins there: instructions that machine code doesn't have (UnrolledLoop)
};
[[nodiscard]] LoadWaits load_waits(const ptx::Module& module, const ptx::Function& function);

}  // namespace lab::timing
