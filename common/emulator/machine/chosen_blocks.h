// Sampled blocks that represent a large launch, if only counts and times are needed.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::machine {

// Blocks with similar positions in the grid: first, last or between along each axis. Each class is sampled, since guards and halos make
// them differ.
struct BlockClass {
    std::vector<std::uint64_t> positions;  // of the blocks that run, ascending
    std::uint64_t stands_for = 0;          // number of blocks in the class
};

// Chooses at most about `most` blocks, spread over each class, with at least a few of the smallest.
[[nodiscard]] std::vector<BlockClass> choose_blocks(const Dim3& grid, std::uint64_t most);

// Runs that many blocks and extrapolates the counts of all. The launch's results are incomplete. Blocks that LaunchConfig::sampler wants
// run as well, first and uncounted.
[[nodiscard]] Outcome run_some(const LoadedModule& module, const std::string& mangled_name, LaunchConfig config, Memory& memory,
                               std::uint64_t most);

}  // namespace lab::machine
