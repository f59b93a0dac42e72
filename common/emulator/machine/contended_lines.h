// The cache line of global memory with the most contended atomics.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/lanes.h"
#include "common/emulator/machine/launch.h"

namespace lab::machine {

// Counts contended atomics per cache line. Cache lines are identified by a hash, so that the table has a fixed size. Two with the same hash
// count as one, which matters little if many are touched.
class ContendedLines {
public:
    // Adds a request of a warp: `bytes` at the address of each lane of `mask`. L2 serialises the atomics of a cache line, and the lanes
    // that touch the same word.
    void note(const std::uint64_t* addresses, Mask mask, std::uint32_t bytes, bool is_floating_point);
    void add(const ContendedLines& other);
    [[nodiscard]] Contention worst() const;

private:
    struct Line {
        std::uint64_t sectors = 0, serialised = 0;
    };
    std::vector<Line> lines_;  // by hash; none before the first request
};

}  // namespace lab::machine
