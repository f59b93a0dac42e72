#include "common/report/figures/figures.h"

#include "common/report/figures/drawings.h"

namespace lab::report {

const std::vector<Figure>& all_figures() {
    static const std::vector<Figure> all{
        {"one_dimension", draw_one_dimension},
        {"blocked_product", draw_blocked_product},
    };
    return all;
}

}  // namespace lab::report
