#include "common/report/figures/figures.h"

#include "common/report/figures/drawings.h"

namespace lab::report {

const std::vector<Figure>& all_figures() {
    static const std::vector<Figure> all{
        {"one_dimension", draw_one_dimension},
        {"warps_of_blocks", draw_warps_of_blocks},
        {"divergence", draw_divergence},
        {"life_of_a_launch", draw_life_of_a_launch},
        {"sectors_of_a_request", draw_sectors_of_a_request},
        {"blocked_product", draw_blocked_product},
        {"small_product", draw_small_product},
        {"product_phases", draw_product_phases},
        {"inexact_tiles", draw_inexact_tiles},
        {"matrix_edge", draw_matrix_edge},
        {"transpose", draw_transpose},
        {"banks", draw_banks},
        {"block_numbers", draw_block_numbers},
        {"diagonal_order", draw_diagonal_order},
        {"partitions_cartesian", draw_partitions_cartesian},
        {"partitions_diagonal", draw_partitions_diagonal},
    };
    return all;
}

}  // namespace lab::report
