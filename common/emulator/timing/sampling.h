// Which blocks of a launch are looked at access by access, and what that tells of its traffic.
#pragma once

#include <array>
#include <cstdint>

namespace lab::timing {

// What caches and DRAM make of a kernel's accesses, found out on a few blocks that run at the same time.
struct Sampling {
    std::uint64_t first = 0;
    std::uint64_t blocks = 0;  // one behind another from `first` on: for DRAM
    // That share an SM's first-level cache, from `first` on: of blocks that run at the same time each SM has every `apart`th.
    std::uint64_t cache_blocks = 0, apart = 1;
    std::uint64_t cache_bytes = 0;  // that they share; 0: loads go past it
    std::uint32_t cache_ways = 0;   // of the set that a line's address says; 0: a line may lie anywhere
    bool whole_lines = false;       // it fetches lines of 128 bytes, not pieces of 32
    std::uint32_t row_bytes = 0;    // neighbouring bytes that DRAM has open at a time; 0: rows aren't looked at
    bool joins_stores = false;      // it makes one piece of what neighbouring warps store of it at once
    // The first-level cache of constants, which the same blocks share, in lines of 64 bytes; 0: not looked at.
    std::uint64_t constant_bytes = 0;
    std::uint32_t constant_ways = 0;
    // One behind another from `first` on, whether they fill a second-level cache, which keeps `window_bytes` of what was touched last.
    // `together` of them run at the same time.
    std::uint64_t window_blocks = 0, window_bytes = 0, together = 0;
};

// Of as many neighbouring blocks as fill a second-level cache: what memory moves for them, each line once.
struct WindowTraffic {
    std::uint64_t blocks = 0;    // 0: not looked at
    bool fills_cache = false;    // otherwise all that were looked at fit
    std::uint64_t accesses = 0;  // lines that they asked for, each time that they did
    // Pairs of pieces of 32 bytes, by how many of the two, less one, are loaded; stored, all of each piece; stored, pieces of which
    // something is left out.
    std::array<std::uint64_t, 2> loaded{}, stored{}, stored_in_part{};
};

// Of the first blocks that run at the same time: lines with pieces of 32 bytes that no warp stores whole, these pieces, and those of them
// that all these blocks leave in part.
struct OpenPieces {
    std::uint64_t blocks = 0, lines = 0, pieces = 0, left = 0;
};

// Of the blocks of a Sampling, together; pieces are of 32 bytes.
// Of blocks with the one right before them: pieces of 32 bytes that their loads ask for; each once a block; and those of them that the one
// before doesn't ask for, so that blocks further off share them, if any do.
struct Reuse {
    std::uint64_t asked = 0, own = 0, far = 0;
};

struct SampledTraffic {
    // Of the blocks that share a cache: what requests touch, and what of it the cache asks of the next.
    std::uint64_t load_sectors = 0, load_lines = 0, missed_sectors = 0, missed_lines = 0;
    // Their loads, and those that wait for the next level: for a piece that they miss, or that another warp has just missed.
    std::uint64_t load_requests = 0, waiting_requests = 0;
    // Of their stores: what requests touch, what of it goes on to the next level after two warps' parts of a piece were made one, and
    // pieces that go on in part; and how many fewer these would be if all neighbours met that may by chance (store_merging.h).
    std::uint64_t stored_sectors = 0, handed_sectors = 0, handed_in_part = 0, chance_sectors = 0, chance_in_part = 0;
    std::uint64_t constant_lines = 0, missed_constant_lines = 0;  // of 64 bytes
    // Of `blocks` neighbours, of which `lines` accesses were looked at: each piece once, whichever of them touch it, and each row of DRAM.
    // 0: not looked at.
    std::uint64_t blocks = 0, lines = 0, distinct_load_sectors = 0, distinct_store_sectors = 0, load_rows = 0, store_rows = 0;
    WindowTraffic window;
    Reuse reuse;
    OpenPieces open;
};

}  // namespace lab::timing
