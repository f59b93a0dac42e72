// One access of a warp, drawn: lanes above, sectors below.
#pragma once

#include "common/report/svg.h"
#include "handouts/figures/source/requests.h"

namespace lab::report {

constexpr double request_lane = 15;
constexpr std::int64_t sector_bytes = 32;

// Lanes above, the sectors that they ask for below, `pixels` a byte and `shift` to the right; a line from each lane to its bytes.
void draw_request(Drawing& drawing, Point origin, const GlobalRequest& request, double pixels, double shift);

}  // namespace lab::report
