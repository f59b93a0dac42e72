// Figure of the primer, section 5: actions of host and device during a launch.
#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"

namespace lab::report {
namespace {

constexpr double bar = 34;

void draw_action(Drawing& drawing, const Box& box, Role role, const std::string& text, Hatch hatch = Hatch::none) {
    drawing.rect(box, {.line = role, .fill = role, .hatch = hatch});
    if (!text.empty()) label(drawing, box, text, {.size = 12});
}

// An error's text, with an arrow down to the call that reports it.
void draw_report(Drawing& drawing, double x, double to, const std::string& first, const std::string& second) {
    constexpr double top = 12;
    constexpr double line_height = 18;
    drawing.text({x, top}, first, {.size = 13, .role = Role::fourth});
    drawing.text({x, top + line_height}, second, {.size = 13, .role = Role::fourth});
    drawing.arrow({x, top + 1.6 * line_height}, {x, to}, {.line = Role::fourth, .width = 1.5});
}

}  // namespace

Drawing draw_life_of_a_launch() {
    Drawing drawing("life_of_a_launch", "Host and device during a launch",
                    "Two time lines. The host launches, asks cudaGetLastError and continues while the kernel executes on the device; "
                    "cudaDeviceSynchronize waits for its end, then cudaMemcpy copies. An invalid configuration is reported by "
                    "cudaGetLastError, an invalid address in the kernel by cudaDeviceSynchronize.");
    constexpr double host = 74;
    constexpr double device = 158;
    constexpr double left = 70;
    drawing.text({left - 10, host + bar / 2}, "host", {.align = Align::end, .is_bold = true});
    drawing.text({left - 10, device + bar / 2}, "device", {.align = Align::end, .is_bold = true});
    for (const double y : {host + bar, device + bar}) drawing.line({left, y}, {690, y}, {.line = Role::faint});
    draw_action(drawing, {left, host, 60, bar}, Role::first, "launch");
    draw_action(drawing, {134, host, 126, bar}, Role::first, "cudaGetLastError");
    draw_action(drawing, {264, host, 92, bar}, Role::muted, "host works");
    draw_action(drawing, {360, host, 168, bar}, Role::first, "cudaDeviceSynchronize");
    draw_action(drawing, {532, host, 156, bar}, Role::first, "cudaMemcpy");
    draw_action(drawing, {170, device, 350, bar}, Role::third, "the kernel's blocks execute");
    draw_action(drawing, {546, device, 134, bar}, Role::third, "copy");
    drawing.arrow({126, host + bar}, {170, device}, {.line = Role::ink});
    drawing.arrow({520, device}, {526, host + bar}, {.line = Role::ink});
    drawing.arrow({538, host + bar}, {546, device}, {.line = Role::ink});
    drawing.arrow({680, device}, {686, host + bar}, {.line = Role::ink});
    drawing.text({174, 126}, "the launch returns at once, the kernel is queued", {.align = Align::start, .size = 13, .role = Role::muted});
    draw_report(drawing, 186, host - 2, "invalid configuration:", "reported here, no kernel starts");
    draw_report(drawing, 480, host - 2, "invalid address in the kernel:", "reported here, or by any later call that waits");
    drawing.arrow({left, 212}, {690, 212}, {.line = Role::muted});
    drawing.text({left - 10, 212}, "time", {.align = Align::end, .size = 13, .role = Role::muted});
    return drawing;
}

}  // namespace lab::report
