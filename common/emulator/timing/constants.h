// Device-independent constants of the time model. A device's own figures are in devices/known/*.json. Each line has unit and source;
// "fitted" names the rows of the fit, which tests and handouts exclude from the predicted ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lab::timing {

// Hardware.
inline constexpr double warp_size = 32;                   // threads
inline constexpr double sector_bytes = 32;                // bytes
inline constexpr std::uint64_t line_bytes = 128;          // bytes of a cache line
inline constexpr std::uint64_t constant_line_bytes = 64;  // bytes of a cache line of constants; measured on an H200 (access_figures.cu)

// Share of L2's capacity that keeps data requested by SMs of one half of the chip. Measured on an H200: kernels on matrices of 134 MB
// return to a cache line after 38 MB and miss in 60 MB of L2.
inline constexpr double l2_share_kept = 0.5;

// Store merging: most cache lines of a request that merges. Measured on an H200 by Nsight Compute: requests of 16 to 18 merge, of 32 don't.
inline constexpr std::size_t max_lines_merged = 24;

// Share of partial sectors that L2 fills, s / (a + b s), for a share s of the partial cache lines that it can keep. Measured on an H200 by
// Nsight Compute, transposes in several block shapes: 3 % at s = 0.1, 18 % at s = 2/3.
inline constexpr double sector_fill_a = 2.5;
inline constexpr double sector_fill_b = 2;

// Share of a block's DRAM time that its barrier leaves idle if the SM holds no other block. Fitted on one row: "copy through shared memory"
// of the GTX 280 in the table of the handout on diagonal order.
inline constexpr double dram_idle_at_barrier = 0.5;

// Sampling: enough for stable figures and fast to simulate; not fitted.
inline constexpr std::uint64_t max_blocks_for_rows = 256;    // neighbouring blocks whose DRAM rows are counted
inline constexpr std::uint64_t max_blocks_in_l1 = 8;         // blocks that share the simulated L1
inline constexpr std::uint64_t max_blocks_in_window = 4096;  // neighbouring blocks whose footprint is compared with L2
inline constexpr std::uint64_t lines_per_sampled_line = 16;  // cache lines for each one in the sample of the L2 window

}  // namespace lab::timing
