#include "handouts/figures/source/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/emulator/devices/compute_capability.h"

namespace lab::report {
namespace {

devices::Device limits(const std::string& capability) {
    const auto device = devices::limits_of(capability);
    if (!device) throw std::invalid_argument("no compute capability " + capability);
    return *device;
}

}  // namespace

std::vector<int> issue_slots(int warps, int latency, int clocks, std::size_t slots) {
    std::vector<int> ready(static_cast<std::size_t>(warps));  // clock from which a warp may issue
    std::vector<int> issued;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const int now = static_cast<int>(slot) * clocks;
        const auto next = std::min_element(ready.begin(), ready.end());
        if (*next > now) {
            issued.push_back(-1);
            continue;
        }
        issued.push_back(static_cast<int>(next - ready.begin()));
        *next = now + latency;
    }
    return issued;
}

SmUse sm_use(const std::string& capability, const devices::KernelNeeds& needs) {
    const devices::Device device = limits(capability);
    SmUse use;
    use.occupancy = devices::occupancy(device, needs);
    const devices::Occupancy& occupancy = use.occupancy;
    use.resources = {
        {"threads", needs.threads, device.max_threads_per_sm, occupancy.limit == devices::Limit::threads},
        {"registers", occupancy.registers_taken, device.registers_per_sm, occupancy.limit == devices::Limit::registers},
        {"shared memory", occupancy.shared_taken, device.shared_per_sm, occupancy.limit == devices::Limit::shared},
    };
    return use;
}

std::vector<OccupancyPoint> occupancy_curve(const std::string& capability, const devices::KernelNeeds& needs, Need changed) {
    const devices::Device device = limits(capability);
    const std::uint32_t warp = 32;
    const std::uint32_t step = changed == Need::threads ? warp : changed == Need::registers ? 1 : 64;
    const std::uint32_t last = changed == Need::threads     ? device.max_threads_per_block
                               : changed == Need::registers ? device.max_registers_per_thread
                                                            : device.shared_per_block;
    std::vector<OccupancyPoint> curve;
    for (std::uint32_t value = step; value <= last; value += step) {
        devices::KernelNeeds each = needs;
        (changed == Need::threads ? each.threads : changed == Need::registers ? each.registers : each.shared_bytes) = value;
        curve.push_back({value, devices::occupancy(device, each).fraction()});
    }
    return curve;
}

double Roofline::at(double flop_a_byte) const { return std::min(gflop_per_s, gb_per_s * flop_a_byte); }

Roofline roofline_of(const devices::Device& device) {
    constexpr double flop_an_fma = 2;
    return {device.memory_gb_per_s, device.sm_count * device.fp32_per_clock * flop_an_fma * device.clock_mhz * 1e-3};
}

std::vector<MemoryLevel> memory_levels() {
    const devices::Device& h100 = devices::device_of("h100");
    constexpr int idle_dram_clocks = 405;
    constexpr int l2_gb_per_s = 6930;
    constexpr std::uint32_t kib = 1024;
    const double shared_gb_per_s = h100.sm_count * h100.l1_bytes_per_clock * h100.clock_mhz * 1e-3;
    return {
        {"registers", fmt::format("{} KiB an SM", h100.registers_per_sm * 4 / kib), fmt::format("{:.0f}", h100.instruction_clocks), ""},
        {"shared memory, L1", fmt::format("{} KiB an SM", h100.l1_bytes / kib),
         fmt::format("{:.0f} and {:.0f}", h100.shared_latency_clocks, h100.l1_latency_clocks), fmt::format("{:.0f} ¹", shared_gb_per_s)},
        {"L2", fmt::format("{} MiB", h100.l2_bytes / kib / kib), fmt::format("{:.0f}", h100.l2_latency_clocks),
         fmt::format("{}", l2_gb_per_s)},
        {"DRAM, global memory", "80 GB", fmt::format("{}", idle_dram_clocks), fmt::format("{:.0f} ²", h100.memory_gb_per_s)},
        {"memory of the host, over the bus", "", "", fmt::format("{:.0f}, pinned", h100.pinned_gb_per_s)},
    };
}

SmParts sm_parts(const std::string& id) {
    const devices::Device& device = devices::device_of(id);
    constexpr std::uint32_t kib = 1024;
    const bool is_fermi = device.major == 2;  // its file has the part of L1 beside the shared memory
    const std::uint32_t array = device.l1_bytes + (is_fermi ? device.shared_per_sm : 0);
    return {static_cast<int>(device.allocation.warp_unit),
            static_cast<int>(device.fp32_per_clock),
            static_cast<int>(device.max_threads_per_sm / 32),
            device.registers_per_sm,
            array / kib,
            device.shared_per_sm / kib};
}

}  // namespace lab::report
