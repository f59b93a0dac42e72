// Text of reads of uninitialised memory.
#include <fmt/format.h>

#include "common/emulator/observers/explain_parts.h"

namespace lab::observers {

Finding explain(const UnwrittenRead& read, const LaunchContext& context) {
    const MemorySpace space = space_of(read.space);
    Finding finding =
        start(FindingKind::uninitialised_read, fmt::format("{}-byte read of {} that was never written", read.bytes, name_of(space)),
              read.op, context, block_at(context, read.linear), thread_at(context, read.warp, read.lane));
    finding.space = space;
    finding.places[0].role = PlaceRole::read;
    finding.count = read.count;
    finding.measured[Quantity::access_bytes] = read.bytes;
    if (space == MemorySpace::shared) {
        finding.locations.push_back(in_shared_variable(read.address, read.bytes, context));
    } else if (space != MemorySpace::local) {
        finding.locations.push_back(context.memory->locate(read.address, read.bytes));
    }
    return finding;
}

}  // namespace lab::observers
