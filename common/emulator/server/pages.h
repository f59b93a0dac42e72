// Pages of memory that host and device share (managed, page-locked), that the program must not touch while the device uses them.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/memory.h"

namespace lab::cuda {

enum class Rights : std::uint8_t { all, read, none };

// Whole pages.
struct PageRange {
    std::uint64_t begin = 0, end = 0;
    Rights rights = Rights::all;  // host accesses allowed while the device uses them
    [[nodiscard]] bool overlaps(std::uint64_t from, std::uint64_t until) const { return begin < until && from < end; }
    [[nodiscard]] bool operator==(const PageRange&) const = default;
};

// Pages that hold only bytes of [begin, end) of their allocation; empty if there are none. A page shared with other data of the program
// can't be protected: the host may use that data, and pass it to the operating system.
[[nodiscard]] PageRange pages_within(const machine::Allocation& allocation, std::uint64_t begin, std::uint64_t end);

// The pages of these allocations that a kernel has touched, with the host accesses allowed meanwhile: reads of pages that were only read.
[[nodiscard]] std::vector<PageRange> pages_touched(const std::vector<const machine::Allocation*>& allocations,
                                                   const machine::TouchedBytes& touched);

}  // namespace lab::cuda
