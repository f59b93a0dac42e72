// Drawing functions of all figures. Figures with one subject share a file.
#pragma once

#include "common/report/svg.h"

namespace lab::report {

[[nodiscard]] Drawing draw_first_screen();
[[nodiscard]] Drawing draw_one_dimension();
[[nodiscard]] Drawing draw_two_dimensions();
[[nodiscard]] Drawing draw_streaming_multiprocessor();
[[nodiscard]] Drawing draw_warps_of_blocks();
[[nodiscard]] Drawing draw_divergence();
[[nodiscard]] Drawing draw_life_of_a_launch();
[[nodiscard]] Drawing draw_memory_types();
[[nodiscard]] Drawing draw_memory_hierarchy();
[[nodiscard]] Drawing draw_roofline();
[[nodiscard]] Drawing draw_sectors_of_a_request();
[[nodiscard]] Drawing draw_blocks_on_an_sm();
[[nodiscard]] Drawing draw_latency_hiding();
[[nodiscard]] Drawing draw_loop_orders();
[[nodiscard]] Drawing draw_product_without_tiles();
[[nodiscard]] Drawing draw_thread_geometry();
[[nodiscard]] Drawing draw_blocked_product();
[[nodiscard]] Drawing draw_small_product();
[[nodiscard]] Drawing draw_product_phases();
[[nodiscard]] Drawing draw_inexact_tiles();
[[nodiscard]] Drawing draw_matrix_edge();
[[nodiscard]] Drawing draw_transpose();
[[nodiscard]] Drawing draw_tile_of_a_transpose();
[[nodiscard]] Drawing draw_banks();
[[nodiscard]] Drawing draw_pair_of_tiles();
[[nodiscard]] Drawing draw_transpose_bounds();
[[nodiscard]] Drawing draw_tegra_kernels();
[[nodiscard]] Drawing draw_block_numbers();
[[nodiscard]] Drawing draw_diagonal_order();
[[nodiscard]] Drawing draw_partitions_cartesian();
[[nodiscard]] Drawing draw_partitions_diagonal();
[[nodiscard]] Drawing draw_half_warps();
[[nodiscard]] Drawing draw_tegra_shapes();
[[nodiscard]] Drawing draw_occupancy_256();
[[nodiscard]] Drawing draw_occupancy_64();
[[nodiscard]] Drawing draw_copy_bandwidth();

}  // namespace lab::report
