#include "common/tools/studies/occupancy_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "common/tools/studies/text_plot.h"

namespace lab::tools {
namespace {

using devices::Device;
using devices::KernelNeeds;
using devices::Occupancy;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uint32_t warp_size = 32;

std::vector<std::string> binding_names(const Occupancy& found) {
    const std::array<std::pair<const char*, std::uint32_t>, 4> limits{{{"threads", found.by_threads},
                                                                       {"blocks", found.by_blocks},
                                                                       {"registers", found.by_registers},
                                                                       {"shared memory", found.by_shared}}};
    std::vector<std::string> names;
    for (const auto& [name, blocks] : limits) {
        if (blocks == found.blocks) names.emplace_back(name);
    }
    return names;
}

std::uint32_t warps_of(const KernelNeeds& needs) { return (needs.threads + warp_size - 1) / warp_size; }

std::string percent(const Occupancy& found) { return fmt::format("{:.1f} %", 100 * found.fraction()); }

std::string by_hand_or(const std::string& kernel) { return kernel.empty() ? "by hand" : kernel; }

std::uint32_t max_shared(const Device& device) { return std::max(device.shared_per_block, device.shared_per_block_optin); }

// One of a kernel's needs, varied.
struct Curve {
    const char* name;  // in JSON
    const char* title;
    std::uint32_t KernelNeeds::*varied;
    std::uint32_t least, most, step;
};

std::vector<Curve> curves_of(const Device& device) {
    const std::uint32_t threads = device.max_threads_per_block;
    return {{"threads", "threads a block", &KernelNeeds::threads, threads / 64, threads, threads / 64},
            {"registers", "registers a thread", &KernelNeeds::registers, 1, device.max_registers_per_thread, 1},
            {"shared_bytes", "bytes of shared memory a block", &KernelNeeds::shared_bytes, 0, max_shared(device), 256}};
}

std::vector<std::pair<double, double>> points_of(const Curve& curve, const Device& device, KernelNeeds needs) {
    std::vector<std::pair<double, double>> points;
    for (std::uint32_t value = curve.least; value <= curve.most; value += curve.step) {
        needs.*(curve.varied) = value;
        points.emplace_back(value, 100 * occupancy(device, needs).fraction());
    }
    return points;
}

}  // namespace

std::string binding(const Occupancy& found) { return fmt::format("{}", fmt::join(binding_names(found), " and ")); }

std::string limits_line(const Device& device) {
    const std::string capability = fmt::format("compute capability {}.{}", device.major, device.minor);
    return fmt::format("{}: an SM has {} threads, {} blocks, {} registers, {} bytes of shared memory\n",
                       device.name == capability ? capability : fmt::format("{} ({})", device.name, capability), device.max_threads_per_sm,
                       device.max_blocks_per_sm, device.registers_per_sm, device.shared_per_sm);
}

std::string detail(const Device& device, const OccupancyCase& shown) {
    const KernelNeeds& needs = shown.needs;
    const Occupancy& found = shown.found;
    std::string text = fmt::format("{}: {} threads a block, {} registers a thread{}, {} bytes of shared memory a block\n\n",
                                   by_hand_or(shown.kernel), needs.threads, needs.registers,
                                   shown.registers_from.empty() ? "" : " (" + shown.registers_from + ")", needs.shared_bytes);
    constexpr const char* row = "{:<14} {:>14} {:>12} {:>8}{}\n";
    text += fmt::format(row, "resource", "a block takes", "an SM has", "blocks", "");
    const auto add = [&](const char* name, std::uint32_t takes, std::uint32_t has, std::uint32_t blocks) {
        text += fmt::format(row, name, takes, has, blocks, blocks == found.blocks ? "  binds" : "");
    };
    add("threads, warps", warps_of(needs), found.max_warps, found.by_threads);
    add("blocks", 1, device.max_blocks_per_sm, found.by_blocks);
    add("registers", found.registers_taken, device.registers_per_sm, found.by_registers);
    add("shared memory", found.shared_taken, device.shared_per_sm, found.by_shared);
    if (found.blocks == 0) return text + fmt::format("\nno block fits: {} bind(s); such a launch fails\n", binding(found));
    return text + fmt::format("\n{} active blocks, {} of {} warps: occupancy {}, bound by {}\n", found.blocks, found.warps, found.max_warps,
                              percent(found), binding(found));
}

std::string table(const std::vector<OccupancyCase>& cases) {
    constexpr const char* row = "  {:>7}  {:>9}  {:>6}  {:>6}  {:>5}  {:>9}  {}\n";
    std::string text = "kernel\n" + fmt::format(row, "threads", "registers", "shared", "blocks", "warps", "occupancy", "bound by");
    std::string last;
    for (const OccupancyCase& each : cases) {
        if (by_hand_or(each.kernel) != last) text += by_hand_or(each.kernel) + "\n";
        last = by_hand_or(each.kernel);
        text += fmt::format(row, each.needs.threads, each.needs.registers, each.needs.shared_bytes, each.found.blocks, each.found.warps,
                            percent(each.found), binding(each.found));
    }
    if (!cases.empty() && !cases[0].registers_from.empty()) text += fmt::format("registers {}\n", cases[0].registers_from);
    return text;
}

std::string curves(const Device& device, const KernelNeeds& needs) {
    std::string text;
    for (const Curve& curve : curves_of(device)) {
        const auto whole = [](double value) { return fmt::format("{:.0f}", value); };
        const Axis x{curve.title, false, static_cast<double>(curve.least), static_cast<double>(curve.most), whole};
        const Axis y{"occupancy", false, 0, 100, [](double value) { return fmt::format("{:.0f} %", value); }};
        const double here = needs.*(curve.varied);
        const Series all{"", '.', points_of(curve, device, needs)};
        const Series now{"as asked", 'O', {{here, 100 * occupancy(device, needs).fraction()}}};
        text += "\n" + plot({all, now}, x, y);
    }
    return text;
}

OrderedJson to_json(const Device& device) {
    return {{"device", device.id},
            {"name", device.name},
            {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
            {"limits",
             {{"threads_per_sm", device.max_threads_per_sm},
              {"threads_per_block", device.max_threads_per_block},
              {"blocks_per_sm", device.max_blocks_per_sm},
              {"registers_per_sm", device.registers_per_sm},
              {"registers_per_block", device.registers_per_block},
              {"registers_per_thread", device.max_registers_per_thread},
              {"shared_bytes_per_sm", device.shared_per_sm},
              {"shared_bytes_per_block", max_shared(device)}}}};
}

OrderedJson to_json(const OccupancyCase& shown) {
    const Occupancy& found = shown.found;
    return {{"kernel", shown.kernel},
            {"threads", shown.needs.threads},
            {"registers", shown.needs.registers},
            {"registers_from", shown.registers_from},
            {"shared_bytes", shown.needs.shared_bytes},
            {"blocks", found.blocks},
            {"warps", found.warps},
            {"max_warps", found.max_warps},
            {"occupancy", found.fraction()},
            {"bound_by", binding_names(found)},
            {"blocks_by",
             {{"threads", found.by_threads},
              {"blocks", found.by_blocks},
              {"registers", found.by_registers},
              {"shared_memory", found.by_shared}}},
            {"registers_a_block", found.registers_taken},
            {"shared_bytes_a_block", found.shared_taken}};
}

OrderedJson curves_to_json(const Device& device, const KernelNeeds& needs) {
    OrderedJson all = OrderedJson::object();
    for (const Curve& curve : curves_of(device)) {
        OrderedJson points = OrderedJson::array();
        for (const auto& [value, share] : points_of(curve, device, needs)) points.push_back({value, share / 100});
        all[curve.name] = points;
    }
    return all;
}

}  // namespace lab::tools
