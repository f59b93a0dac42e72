// Access costs by hardware generation: coalescing in global memory, banks of shared memory.
#pragma once

#include <vector>

#include "common/emulator/machine/access_pattern.h"

namespace lab::observers {

// One transaction of global memory: its offset from the first active lane's address, and its size.
struct Segment {
    std::int64_t begin = 0;
    std::uint32_t bytes = 0;
};

class MemoryRules : public machine::AccessRules {
public:
    // Transactions of the pattern if its first active lane's address is `alignment` mod 128, in issue order.
    [[nodiscard]] virtual std::vector<Segment> segments(const machine::AccessPattern& pattern, unsigned alignment) const = 0;
};

// Compute capability 5.0 and later: 32-byte sectors of 128-byte cache lines; 32 banks of 4 bytes. 64-bit accesses are served a half-warp at
// a time, 128-bit ones a quarter-warp at a time. Source: CUDA C++ Programming Guide, chapter "Compute Capabilities"; the counts have Nsight
// Compute's names.
class Sm50Rules : public MemoryRules {
public:
    [[nodiscard]] unsigned sectors(const machine::AccessPattern& pattern, unsigned alignment) const override;
    // Wavefronts through the L1 cache, whose data lie in banks like shared memory's: different words of one bank take one wavefront each,
    // whatever their cache lines, and a wavefront looks up at most four cache lines.
    [[nodiscard]] unsigned transactions(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned lines_a_pass() const override { return 4; }
    [[nodiscard]] unsigned wavefronts(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned ideal_wavefronts(const machine::AccessPattern& pattern) const override;
    [[nodiscard]] std::vector<Segment> segments(const machine::AccessPattern& pattern, unsigned alignment) const override;

protected:
    // Lanes of a wide access to shared memory that are served at a time.
    [[nodiscard]] virtual unsigned lanes_at_a_time(const machine::AccessPattern& pattern) const;
};

// Compute capability 2.x and 3.x: a request is served one cache line at a time. 2.x: loads go through L1, which fetches whole cache lines.
// 3.x: loads bypass L1, and banks are 8 bytes wide; two 4-byte words of one bank are served together if they lie 128 bytes apart in one
// segment of 256. Source: CUDA C Programming Guide 8.0, appendix G.3 and G.4 (4-byte bank mode, the default).
class Sm20Rules : public Sm50Rules {
public:
    [[nodiscard]] unsigned transactions(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned lines_a_pass() const override { return 1; }
    [[nodiscard]] bool loads_whole_lines() const override { return true; }
};
class Sm30Rules final : public Sm20Rules {
public:
    [[nodiscard]] bool loads_whole_lines() const override { return false; }
    [[nodiscard]] unsigned wavefronts(const machine::AccessPattern& pattern, unsigned alignment) const override;
};

// Compute capability 7.0 and later: twice as many lanes of a wide access are served at a time if in each pair of lanes (n, n ^ 1), or in
// each (n, n ^ 2), both access the same address or only one is active. Source: NVIDIA's developer forum, "Unexpected shared memory bank
// conflict"; it explains all counts of 8-byte loads in handouts/counters.md.
class Sm70Rules final : public Sm50Rules {
public:
    // A wavefront looks up one cache line in each of four sets, and a hash of its address selects a cache line's set: rows 4000 bytes apart
    // conflict more often than four neighbouring cache lines, which never do. Returns the mean over the first cache line's positions.
    // Measured on an H200 (tests/gpu/device_figures.cu, eleven distances between rows); the hash reproduces the measurements to 2 % on
    // average.
    [[nodiscard]] unsigned transactions(const machine::AccessPattern& pattern, unsigned alignment) const override;

protected:
    [[nodiscard]] unsigned lanes_at_a_time(const machine::AccessPattern& pattern) const override;
};

// Compute capability 1.2 and 1.3: a half-warp at a time, in segments of 32, 64 or 128 bytes; 16 banks of 4 bytes.
class Sm13Rules final : public MemoryRules {
public:
    [[nodiscard]] unsigned sectors(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned transactions(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned wavefronts(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned ideal_wavefronts(const machine::AccessPattern& pattern) const override;
    [[nodiscard]] std::vector<Segment> segments(const machine::AccessPattern& pattern, unsigned alignment) const override;
};

// `compute_capability`: 10 * major + minor.
[[nodiscard]] const MemoryRules& rules_of(int compute_capability);

}  // namespace lab::observers
