// Load vectorisation by ptxas: loads of neighbouring words of shared memory become one wide load.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/vectorised_loads.h"

namespace lab::timing {

// Wide loads that ptxas makes of loads of `bytes` each (4 or 8) at these offsets from the first one's address, 0 among them: two or four
// words of 4 bytes, or two of 8, that fill an aligned span. PTX has them one by one. Verified by the SASS of lab 3's products for compute
// capability 5.0 to 9.0. ptxas derives a span's alignment from the code; the model uses the addresses.
[[nodiscard]] machine::VectorisedLoads vectorised_loads(std::vector<std::int64_t> offsets, std::uint32_t bytes);

}  // namespace lab::timing
