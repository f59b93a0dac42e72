// Reads of what nothing was ever written to, in words.
#include <fmt/format.h>

#include "common/emulator/observers/explain_parts.h"

namespace lab::observers {

using machine::Fault;
using machine::FaultKind;

Fault explain(const UnwrittenRead& read, const LaunchContext& context) {
    Fault fault =
        start(FaultKind::uninitialised_read, fmt::format("{}-byte read of {} that was never written", read.bytes, space_name(read.space)),
              read.op, context, block_at(context, read.linear), read.warp, read.lane);
    fault.stops = false;
    fault.count = read.count;
    if (read.space == ptx::Space::shared) {
        fault.text +=
            fmt::format("\n  {}: no thread of the block has written there before", shared_place(read.address, read.bytes, context));
    } else if (read.space == ptx::Space::local) {
        fault.text += "\n  a variable or array of the thread's own that has no value yet";
    } else {
        fault.text += fmt::format("\n  {}: neither cudaMemcpy, cudaMemset nor a kernel has written there",
                                  context.memory->describe(read.address, read.bytes));
    }
    fault.text += seen(read.count);
    return fault;
}

}  // namespace lab::observers
