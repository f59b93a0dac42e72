#include "handouts/figures/source/figures.h"

#include "handouts/figures/source/drawings.h"

namespace lab::report {

const std::vector<Figure>& all_figures() {
    static const std::vector<Figure> all{
        {"first_screen", draw_first_screen},
        {"one_dimension", draw_one_dimension},
        {"two_dimensions", draw_two_dimensions},
        {"streaming_multiprocessor", draw_streaming_multiprocessor},
        {"warps_of_blocks", draw_warps_of_blocks},
        {"divergence", draw_divergence},
        {"life_of_a_launch", draw_life_of_a_launch},
        {"memory_types", draw_memory_types},
        {"memory_hierarchy", draw_memory_hierarchy},
        {"roofline", draw_roofline},
        {"sectors_of_a_request", draw_sectors_of_a_request},
        {"blocks_on_an_sm", draw_blocks_on_an_sm},
        {"latency_hiding", draw_latency_hiding},
        {"loop_orders", draw_loop_orders},
        {"product_without_tiles", draw_product_without_tiles},
        {"thread_geometry", draw_thread_geometry},
        {"blocked_product", draw_blocked_product},
        {"small_product", draw_small_product},
        {"product_phases", draw_product_phases},
        {"inexact_tiles", draw_inexact_tiles},
        {"matrix_edge", draw_matrix_edge},
        {"transpose", draw_transpose},
        {"tile_of_a_transpose", draw_tile_of_a_transpose},
        {"banks", draw_banks},
        {"pair_of_tiles", draw_pair_of_tiles},
        {"transpose_bounds", draw_transpose_bounds},
        {"tegra_kernels", draw_tegra_kernels},
        {"block_numbers", draw_block_numbers},
        {"diagonal_order", draw_diagonal_order},
        {"partitions_cartesian", draw_partitions_cartesian},
        {"partitions_diagonal", draw_partitions_diagonal},
        {"half_warps", draw_half_warps},
        {"tegra_shapes", draw_tegra_shapes},
        {"occupancy_256", draw_occupancy_256},
        {"occupancy_64", draw_occupancy_64},
        {"copy_bandwidth", draw_copy_bandwidth},
    };
    return all;
}

}  // namespace lab::report
