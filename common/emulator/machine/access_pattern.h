// Shape of one warp's memory access: its active lanes, and their offsets from the first one. A memory instruction in a loop nearly always
// repeats its shape with another base, so everything that follows from the shape alone (distinct bytes, span, gather recipe, sectors and
// wavefronts by alignment) is computed once and cached.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/emulator/machine/lanes.h"

namespace lab::machine {

// Unit of an access's cost: sectors of global-like memory, wavefronts of shared memory, or words of the constant cache.
enum class Traffic : std::uint8_t { sectors, banks, words };

struct AccessPattern {
    static constexpr std::uint32_t unknown_cost = 0xffffffffU;

    alignas(64) std::array<std::int64_t, warp_size> delta{};  // bytes from the first active lane's address; 0 in inactive lanes
    Mask mask = 0;
    std::uint32_t bytes = 0;  // that each lane touches
    Traffic traffic = Traffic::sectors;
    std::uint32_t lanes = 0;
    std::int64_t low = 0;        // of the lowest byte touched, relative to the first active lane
    std::int64_t high = 0;       // one past the highest
    std::uint64_t low_bits = 0;  // the deltas or-ed: what an alignment check needs
    bool consecutive = false;    // all lanes active, at adjacent addresses
    bool distinct = false;       // no byte is touched by two lanes

    // Bytes touched, as maximal runs in ascending order.
    struct Run {
        std::int64_t begin = 0;
        std::uint32_t bytes = 0;
    };
    std::vector<Run> runs;

    // Of 4-byte elements: neighbouring lanes at adjacent addresses, where all active lanes are of at most four such spans; else none.
    struct Span {
        std::uint32_t lane = 0, words = 0;  // the first lane, and how many
        std::int64_t delta = 0;
    };
    std::array<Span, 4> span{};
    std::uint32_t span_count = 0;
    [[nodiscard]] std::span<const Span> spans() const { return {span.data(), span_count}; }

    // 4-byte elements that lie in at most two windows of 64 bytes: lane i accesses word index[i] of the two windows.
    bool windowed = false;
    std::array<std::int64_t, 2> window{};
    alignas(64) std::array<std::uint32_t, warp_size> index{};

    // Indexed by (address of the first active lane) mod 128; computed on first use. Lowest byte: sectors, wavefronts or words; next byte:
    // transactions, or wavefronts beyond the ideal; above: cache lines. One number, since an execution looks up and adds all.
    mutable std::array<std::uint32_t, 128> cost{};
    mutable std::array<const AccessPattern*, 2> wide{};  // the same with 8 and with 16 bytes a lane, if requested (vectorised_loads.h)
    std::uint8_t ideal = 1;                              // wavefronts that the width alone needs
};

// Division that rounds towards minus infinity, as addresses before the first lane's require.
[[nodiscard]] inline std::int64_t floor_div(std::int64_t value, std::int64_t by) {
    return value >= 0 ? value / by : -((-value + by - 1) / by);
}

// Calls `found(first, last)` for runs of adjacent segments of `segment_bytes` (at most 128) that the pattern touches when its first active
// lane's address is `alignment` mod 128, each segment once.
template <class Found>
void for_each_segment(const AccessPattern& pattern, unsigned alignment, std::int64_t segment_bytes, Found found) {
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const AccessPattern::Run& run : pattern.runs) {
        const std::int64_t begin = run.begin + alignment;
        const std::int64_t first_segment = std::max(floor_div(begin, segment_bytes), last + 1);
        const std::int64_t last_segment = floor_div(begin + run.bytes - 1, segment_bytes);
        if (last_segment < first_segment) continue;
        found(first_segment, last_segment);
        last = last_segment;
    }
}

// Cache lines of 128 bytes that the pattern touches if its first active lane's address is `alignment` mod 128.
[[nodiscard]] unsigned lines_of(const AccessPattern& pattern, unsigned alignment);

// Cost rules of one hardware generation.
class AccessRules {
public:
    virtual ~AccessRules() = default;
    // Sectors that memory moves for the pattern if its first active lane's address is `alignment` mod 128.
    [[nodiscard]] virtual unsigned sectors(const AccessPattern& pattern, unsigned alignment) const = 0;
    // The transactions that move them.
    [[nodiscard]] virtual unsigned transactions(const AccessPattern& pattern, unsigned alignment) const = 0;
    // Cache lines that L1 looks up in one wavefront.
    [[nodiscard]] virtual unsigned lines_a_pass() const { return 1; }
    // Whether a load moves each cache line that it touches as a whole.
    [[nodiscard]] virtual bool loads_whole_lines() const { return false; }
    // Wavefronts through the banks of shared memory.
    [[nodiscard]] virtual unsigned wavefronts(const AccessPattern& pattern, unsigned alignment) const = 0;
    // Wavefronts of an access of this width without bank conflicts.
    [[nodiscard]] virtual unsigned ideal_wavefronts(const AccessPattern& pattern) const = 0;
    // Wavefronts through the constant cache. It serves one address a wavefront, as a broadcast; other addresses are serialised (CUDA C++
    // Programming Guide, "Device Memory Accesses", Constant Memory). Bytes of one word count as one address.
    [[nodiscard]] virtual unsigned constant_passes(const AccessPattern& pattern, unsigned alignment) const;
};

// All patterns that one worker has seen. Pointers stay valid until clear().
class PatternStore {
public:
    const AccessPattern* find(const std::uint64_t* addresses, Mask mask, std::uint32_t bytes, Traffic traffic, const AccessRules& rules);
    [[nodiscard]] bool full() const { return count_ >= limit; }
    void clear();

private:
    static constexpr std::size_t limit = 4096;
    std::unordered_multimap<std::uint64_t, std::unique_ptr<AccessPattern>> patterns_;
    std::size_t count_ = 0;
};

[[nodiscard]] __attribute__((always_inline)) inline bool same_shape_full(const std::uint64_t* addresses, const AccessPattern& pattern) {
    const std::uint64_t base = addresses[0];
    std::uint64_t difference = 0;
#pragma omp simd reduction(| : difference)
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        difference |= (addresses[lane] - base) ^ static_cast<std::uint64_t>(pattern.delta[lane]);
    }
    return difference == 0;
}

[[nodiscard]] inline bool same_shape_masked(const std::uint64_t* addresses, std::uint64_t base, const AccessPattern& pattern) {
    std::uint64_t difference = 0;
    const Mask mask = pattern.mask;
#pragma omp simd reduction(| : difference)
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t differs = (addresses[lane] - base) ^ static_cast<std::uint64_t>(pattern.delta[lane]);
        difference |= ((mask >> lane) & 1U) != 0 ? differs : 0;
    }
    return difference == 0;
}

}  // namespace lab::machine
