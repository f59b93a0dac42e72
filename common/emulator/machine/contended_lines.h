// Which line of global memory most atomics meet at.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/lanes.h"
#include "common/emulator/machine/launch.h"

namespace lab::machine {

// Lines are told apart by a hash, so that a launch over all of memory needs no more room than another: by chance several count as one,
// which weighs little where so many are touched.
class ContendedLines {
public:
    // A request of a warp: `bytes` at the address of each lane of `mask`. A line's atomics are done one after another, lanes that want
    // the same word as well.
    void note(const std::uint64_t* addresses, Mask mask, std::uint32_t bytes, bool is_floating_point);
    void add(const ContendedLines& other);
    [[nodiscard]] Contention worst() const;

private:
    struct Line {
        std::uint64_t pieces = 0, passes = 0;
    };
    std::vector<Line> lines_;  // by hash; none before the first request
};

}  // namespace lab::machine
