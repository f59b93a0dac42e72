// A few blocks of a large launch that stand for all of it, where only counts and times are asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::machine {

// Blocks that lie alike in the grid: along each axis first, last or between. Guards and halos make those differ, so each kind has its own.
struct BlockClass {
    std::vector<std::uint64_t> positions;  // of the blocks that run, ascending
    std::uint64_t stands_for = 0;          // how many there are of the kind
};

// At most about `most` in all, spread over each class, and a few even of the smallest.
[[nodiscard]] std::vector<BlockClass> choose_blocks(const Dim3& grid, std::uint64_t most);

// Runs so many blocks and adds up what all would have counted. What the launch computes is not whole then. Blocks that
// LaunchConfig::sampler wants run as well, first and uncounted.
[[nodiscard]] Outcome run_some(const LoadedModule& module, const std::string& mangled_name, LaunchConfig config, Memory& memory,
                               std::uint64_t most);

}  // namespace lab::machine
