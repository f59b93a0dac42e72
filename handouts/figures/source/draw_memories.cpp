// Figures of the primer, sections 2 and 6: an SM, kinds of memory, levels of memory.
#include <fmt/format.h>

#include <array>

#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/machines.h"

namespace lab::report {
namespace {

void draw_named_box(Drawing& drawing, const Box& box, Role role, const std::string& name, bool is_bold = false) {
    drawing.rect(box, {.line = role, .fill = role});
    label(drawing, box, name, {.size = 13, .is_bold = is_bold});
}

void draw_both_ways(Drawing& drawing, Point a, Point b) {
    drawing.arrow(a, b, {.line = Role::ink, .width = 1.5});
    drawing.arrow(b, a, {.line = Role::ink, .width = 1.5});
}

// A block with its shared memory and two threads, between the bars of constant and global memory.
void draw_memories_of_block(Drawing& drawing, double x, int number, double constant_bottom, double global_top) {
    const Box block{x, 84, 252, 182};
    drawing.rect(block, {.line = Role::muted, .width = 1.5, .is_dashed = true});
    drawing.text({block.x + 8, block.y + 14}, fmt::format("block {}", number), {.align = Align::start, .size = 13, .is_bold = true});
    const Box shared{x + 74, block.y + 8, 112, 28};
    draw_named_box(drawing, shared, Role::third, "shared memory");
    for (int thread = 0; thread < 2; ++thread) {
        const Box box{x + 8 + thread * 122.0, block.y + 66, 114, 106};
        drawing.rect(box, {.line = Role::muted});
        drawing.text({box.centre().x, box.y + 14}, fmt::format("thread {}", thread), {.size = 13, .is_bold = true});
        draw_named_box(drawing, {box.x + 8, box.y + 28, 98, 26}, Role::first, "registers");
        draw_named_box(drawing, {box.x + 8, box.y + 66, 98, 26}, Role::second, "local memory");
        const double inner = thread == 0 ? box.right() - 22 : box.x + 22;
        const double outer = thread == 0 ? box.x + 58 : box.right() - 40;
        draw_both_ways(drawing, {inner, shared.bottom()}, {inner, box.y});
        drawing.arrow({outer, constant_bottom}, {outer, box.y}, {.line = Role::ink, .width = 1.5});
        draw_both_ways(drawing, {box.centre().x, box.bottom()}, {box.centre().x, global_top});
    }
}

}  // namespace

// Kinds of memory, and their accessors.
Drawing draw_memory_types() {
    Drawing drawing(
        "memory_types", "Kinds of memory of a device, and who reads and writes them",
        "A host beside a device with a grid of two blocks. Each thread has registers and local memory, each block shared memory. All "
        "threads read and write global memory and read constant memory. The host reads and writes global memory and writes "
        "constant memory.");
    const Box device{150, 8, 542, 330};
    drawing.rect(device, {.line = Role::muted});
    drawing.text({device.right() - 8, device.y + 14}, "device", {.align = Align::end, .size = 13, .is_bold = true});
    const Box constant{160, 30, 524, 28};
    const Box global{160, 294, 524, 32};
    draw_memories_of_block(drawing, 164, 0, constant.bottom(), global.y);
    draw_memories_of_block(drawing, 428, 1, constant.bottom(), global.y);
    draw_named_box(drawing, constant, Role::fourth, "constant memory, one for the grid");
    draw_named_box(drawing, global, Role::second, "global memory, one for the grid; local memory is a part of it");
    const Box host{8, 8, 84, 330};
    drawing.rect(host, {.line = Role::muted});
    drawing.text({host.centre().x, host.y + 14}, "host", {.size = 13, .is_bold = true});
    label(drawing, {host.x, host.y + 130, host.width, 20}, "memory of", {.size = 13});
    label(drawing, {host.x, host.y + 148, host.width, 20}, "the host", {.size = 13});
    drawing.arrow({host.right(), constant.centre().y}, {constant.x, constant.centre().y}, {.line = Role::ink, .width = 1.5});
    draw_both_ways(drawing, {host.right(), global.centre().y}, {global.x, global.centre().y});
    drawing.text({device.x, 356}, "An arrow to a memory: writes. From a memory: reads.",
                 {.align = Align::start, .size = 13, .role = Role::muted});
    return drawing;
}

// The levels of memory of an H100.
Drawing draw_memory_hierarchy() {
    Drawing drawing(
        "memory_hierarchy", "Levels of memory of an H100, from registers to the host",
        "Boxes that grow downwards: registers, shared memory and L1, L2, DRAM, memory of the host. Beside each its size, the latency of "
        "a load in clocks and the bandwidth of all SMs together: sizes and latencies grow, bandwidth falls.");
    constexpr double size_x = 372;
    constexpr double latency_x = 500;
    constexpr double rate_x = 624;
    drawing.text({size_x, 14}, "size", {.size = 13, .role = Role::muted});
    drawing.text({latency_x, 14}, "latency, clocks", {.size = 13, .role = Role::muted});
    drawing.text({rate_x, 14}, "bandwidth, GB/s", {.size = 13, .role = Role::muted});
    constexpr std::array<Role, 5> roles{Role::first, Role::third, Role::third, Role::second, Role::muted};
    double y = 30;
    double width = 130;
    std::size_t at = 0;
    for (const MemoryLevel& level : memory_levels()) {
        const Box box{160 - width / 2, y, width, 36};
        draw_named_box(drawing, box, roles[at++], level.name, true);
        drawing.line({box.right() + 8, box.centre().y}, {size_x - 62, box.centre().y}, {.line = Role::faint});
        drawing.text({size_x, box.centre().y}, level.size, {.size = 13});
        drawing.text({latency_x, box.centre().y}, level.latency, {.size = 13});
        drawing.text({rate_x, box.centre().y}, level.rate, {.size = 13});
        y += 46;
        width += 42;
    }
    drawing.text({14, y + 4}, "NVIDIA H100 80GB HBM3 at 1980 MHz, driver 580.159.04; latencies, L2 and bus measured on 2026-11-23,",
                 {.align = Align::start, .size = 12, .role = Role::muted});
    drawing.text({14, y + 21}, "that of registers on an H200; ¹ banks times clock, ² memory clock times bus width",
                 {.align = Align::start, .size = 12, .role = Role::muted});
    return drawing;
}

namespace {

// Schedulers with their lanes, registers, and L1 with shared memory.
void draw_one_sm(Drawing& drawing, double x, const std::string& title, const SmParts& parts) {
    constexpr double full = 316;
    constexpr double lane = 13;
    constexpr int lane_columns = 4;
    drawing.text({x, 14}, title, {.align = Align::start, .is_bold = true});
    const Box sm{x, 28, full, 296};
    drawing.rect(sm, {.line = Role::muted, .width = 1.5});
    const double part = (full - 12) / parts.schedulers;
    const int rows = parts.lanes / parts.schedulers / lane_columns;
    for (int i = 0; i < parts.schedulers; ++i) {
        const double left = x + 6 + i * part;
        draw_named_box(drawing, {left + 4, sm.y + 34, part - 8, 24}, Role::second, "scheduler");
        const Grid lanes{{left + part / 2 - lane_columns * lane / 2, sm.y + 66}, rows, lane_columns, lane, lane};
        drawing.rect(lanes.whole(), {.line = Role::first, .fill = Role::first});
        lanes.draw(drawing, Role::first);
    }
    drawing.text({sm.x + 10, sm.y + 17}, fmt::format("{} warps at most, {} CUDA cores", parts.warps, parts.lanes),
                 {.align = Align::start, .size = 13});
    draw_named_box(drawing, {x + 10, sm.y + 184, full - 20, 34}, Role::third, fmt::format("registers: {} of 32 bits", parts.registers));
    const double shared_width = (full - 20) * parts.shared_kib / parts.l1_and_shared_kib;
    drawing.rect({x + 10, sm.y + 230, full - 20, 34}, {.line = Role::fourth, .fill = Role::fourth});
    drawing.line({x + 10 + shared_width, sm.y + 230}, {x + 10 + shared_width, sm.y + 264}, {.line = Role::fourth, .is_dashed = true});
    drawing.text({x + 20, sm.y + 247}, fmt::format("shared memory and L1: {} KiB", parts.l1_and_shared_kib),
                 {.align = Align::start, .size = 13});
    drawing.text({sm.centre().x, sm.y + 280}, fmt::format("shared memory: {} KiB of it at most", parts.shared_kib), {.size = 12});
}

}  // namespace

// An SM of Fermi beside one of Hopper.
Drawing draw_streaming_multiprocessor() {
    Drawing drawing(
        "streaming_multiprocessor", "An SM of Fermi (compute capability 2.0) and one of Hopper (9.0)",
        "Fermi: 2 schedulers, 32 CUDA cores, 32768 registers, 64 KiB of shared memory and L1. Hopper: 4 schedulers, 128 CUDA "
        "cores, 65536 registers, 256 KiB. A cell is a CUDA core; a dashed line marks how much of the array shared memory may take.");
    draw_one_sm(drawing, 12, "Fermi (2.0)", sm_parts("c2075"));
    draw_one_sm(drawing, 370, "Hopper (9.0)", sm_parts("h100"));
    return drawing;
}

}  // namespace lab::report
