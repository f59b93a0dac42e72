// What draws each figure. Figures with one subject share a file.
#pragma once

#include "common/report/svg.h"

namespace lab::report {

[[nodiscard]] Drawing draw_one_dimension();
[[nodiscard]] Drawing draw_blocked_product();

}  // namespace lab::report
