// Forward progress of lanes that wait for other lanes of their warp, for example at a lock that one of them holds.
#include "common/emulator/machine/control.h"

namespace lab::machine {

namespace {

// Long enough that lanes with long computations stay together, short enough that a lock is passed on quickly.
constexpr std::uint32_t max_slices = 12;

// The lowest path with lanes that are blocked only by paths above; these lanes then get their own path. Lanes that have already reached the
// end of their path continue in the one below.
std::size_t find_path_below(Warp& warp, Mask& free_lanes) {
    std::size_t found = warp.paths.size();
    Mask above = warp.paths.back().mask;
    for (std::size_t i = warp.paths.size() - 1; i-- > 0;) {
        Path& path = warp.paths[i];
        Mask lanes = path.mask & ~above;
        if (path.waiting) lanes = 0;
        if (lanes != 0 && path.pc == path.reconvergence) {
            path.mask &= ~lanes;
        } else if (lanes != 0) {
            found = i;
            free_lanes = lanes;
        }
        above |= path.mask;
    }
    return found;
}

}  // namespace

void let_other_lanes_run(Warp& warp) {
    if (warp.state != WarpState::ready || warp.paths.size() < 2) return;
    if (warp.slice_lanes != warp.paths.back().mask) {
        warp.slice_lanes = warp.paths.back().mask;
        warp.slices_on_path = 0;
    }
    if (++warp.slices_on_path < max_slices) return;
    warp.slices_on_path = 0;
    let_lanes_below_run(warp);
}

bool let_lanes_below_run(Warp& warp) {
    Mask lanes = 0;
    const std::size_t below = find_path_below(warp, lanes);
    if (below == warp.paths.size()) return false;
    Path path = warp.paths[below];
    path.mask = lanes;
    warp.paths[below].mask &= ~lanes;
    ++path.frame->users;
    warp.paths.push_back(path);
    return true;
}

}  // namespace lab::machine
