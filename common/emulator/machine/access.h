// One warp's memory access, resolved to host memory.
#pragma once

#include "common/emulator/machine/access_pattern.h"

namespace lab::machine {

// One warp's access, ready for execution.
struct Access {
    Access() {}  // NOLINT(modernize-use-equals-default, cppcoreguidelines-pro-type-member-init): lane_host stays unset
    const AccessPattern* pattern = nullptr;
    std::uint64_t base = 0;           // address of the pattern's first active lane
    std::byte* host = nullptr;        // host address of `base`; null if lanes access different allocations
    std::byte* lane_host[warp_size];  // each lane's host address if `host` is null; otherwise unset, as that would cost time
    Mask mask = 0;

    [[nodiscard]] std::byte* at(unsigned lane) const { return host != nullptr ? host + pattern->delta[lane] : lane_host[lane]; }
};

}  // namespace lab::machine
