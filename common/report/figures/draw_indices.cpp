// Figures of the primer, sections 2 and 3.
#include <fmt/format.h>

#include "common/report/figures/drawings.h"
#include "common/report/figures/indices.h"
#include "common/report/grid.h"

namespace lab::report {

// 1000 elements in 4 blocks of 256 threads.
Drawing draw_one_dimension() {
    constexpr int n = 1000;
    constexpr int block = 256;
    const std::vector<StripWarp> warps = strip_of(n, block);
    Drawing drawing("one_dimension", "1000 elements in 4 blocks of 256 threads",
                    "A strip of 1024 threads, cut into 4 blocks and 32 warps. The last 24 threads of block 3 lie past element 999 and are "
                    "hatched. Below, the last warp enlarged: lanes 0 to 7 have elements 992 to 999, lanes 8 to 31 have none.");
    constexpr double left = 30;
    constexpr double a_thread = 0.625;
    constexpr double top = 40;
    constexpr double height = 36;
    const auto x_of = [&](int thread) { return left + thread * a_thread; };
    const Look past{.line = Role::second, .width = 0, .fill = Role::second, .hatch = Hatch::rising};
    for (const StripWarp& warp : warps) {
        const double begin = x_of(warp.first);
        const Role tint = warp.block % 2 == 0 ? Role::first : Role::muted;
        drawing.rect({begin, top, warp.threads * a_thread, height}, {.line = Role::muted, .fill = tint});
        if (warp.in_bounds < warp.threads) {
            const double from = x_of(warp.first + warp.in_bounds);
            drawing.rect({from, top, x_of(warp.first + warp.threads) - from, height}, past);
        }
    }
    for (const StripWarp& warp : warps) {
        if (warp.warp != 0) continue;
        const Box whole{x_of(warp.first), top, block * a_thread, height};
        drawing.rect(whole, {.width = 2});
        drawing.text({whole.centre().x, top - 16}, fmt::format("block {}", warp.block), {.is_bold = true});
        drawing.text({whole.x, whole.bottom() + 14}, fmt::format("{}", warp.first), {.size = 13});
    }
    const StripWarp& last = warps.back();
    drawing.text({x_of(last.first) - 4, top + height + 14}, fmt::format("{}", last.first), {.size = 13});
    const Grid lanes{{left + 32, top + 106}, 1, warp_threads, 19, 26};
    const Box warp = lanes.whole();
    drawing.line({x_of(last.first), top + height + 22}, {warp.x, warp.y}, {.line = Role::muted, .is_dashed = true});
    drawing.line({x_of(last.first + last.threads), top + height + 2}, {warp.right(), warp.y}, {.line = Role::muted, .is_dashed = true});
    drawing.rect(lanes.area(0, 0, 1, last.in_bounds), {.width = 0, .fill = Role::muted});
    drawing.rect(lanes.area(0, last.in_bounds, 1, last.threads - last.in_bounds), past);
    lanes.draw(drawing, Role::muted);
    drawing.text({warp.right() - 12, warp.y - 16}, "warp 7 of block 3, enlarged", {.align = Align::end, .is_bold = true});
    const double below = warp.bottom() + 18;
    drawing.text({lanes.area(0, 0, 1, last.in_bounds).centre().x, below}, "8 lanes: i = 992 to 999", {.size = 13});
    drawing.text({lanes.area(0, last.in_bounds, 1, last.threads - last.in_bounds).centre().x, below},
                 "24 lanes past the end: the guard keeps them from memory", {.size = 13});
    return drawing;
}

}  // namespace lab::report
