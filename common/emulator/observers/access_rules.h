// What an access costs by the rules of a generation of hardware: coalescing in global memory, banks of shared memory.
#pragma once

#include <vector>

#include "common/emulator/machine/access_pattern.h"

namespace lab::observers {

// One transaction of global memory: its place relative to the first active lane's address, and its size.
struct Segment {
    std::int64_t begin = 0;
    std::uint32_t bytes = 0;
};

class MemoryRules : public machine::AccessRules {
public:
    // The transactions that the pattern needs when its first active lane's address is `alignment` mod 128, in the order made.
    [[nodiscard]] virtual std::vector<Segment> segments(const machine::AccessPattern& pattern, unsigned alignment) const = 0;
};

// Compute capability 5.0 and later: 32-byte sectors of 128-byte lines; 32 banks of 4 bytes, 64-bit accesses served a half-warp
// at a time and 128-bit ones a quarter-warp at a time. Source: CUDA C++ Programming Guide, chapter "Compute Capabilities";
// Nsight Compute's names for the counts.
class Sm50Rules : public MemoryRules {
public:
    [[nodiscard]] unsigned sectors(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned transactions(const machine::AccessPattern& pattern, unsigned alignment) const override {
        return sectors(pattern, alignment);
    }
    [[nodiscard]] unsigned wavefronts(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned ideal_wavefronts(const machine::AccessPattern& pattern) const override;
    [[nodiscard]] std::vector<Segment> segments(const machine::AccessPattern& pattern, unsigned alignment) const override;

protected:
    // Lanes of a wide access to shared memory that are served at a time.
    [[nodiscard]] virtual unsigned lanes_at_a_time(const machine::AccessPattern& pattern) const;
};

// Compute capability 7.0 and later: where in each pair of lanes (n, n ^ 1), or in each (n, n ^ 2), both want the same address or only
// one of them is active, twice as many lanes of a wide access are served at a time. Source: NVIDIA's developer forum, "Unexpected
// shared memory bank conflict"; it explains all counts of 8-byte loads in handouts/counters.md.
class Sm70Rules final : public Sm50Rules {
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

// `compute_capability`: 10 * major + minor. From 2.0 to 4.x the rules of 5.0 stand in.
[[nodiscard]] const MemoryRules& rules_of(int compute_capability);

}  // namespace lab::observers
