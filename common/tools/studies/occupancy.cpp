#include "common/tools/studies/occupancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "common/emulator/devices/compute_capability.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/kernel_resources.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_output.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using devices::Device;
using devices::KernelNeeds;
using devices::Occupancy;
using OrderedJson = nlohmann::ordered_json;

Device device_of(const OccupancyOptions& options) {
    if (!options.device.empty() && !options.capability.empty()) throw BadInput("--device and --cc exclude each other");
    if (!options.capability.empty()) {
        if (const auto limits = devices::limits_of(options.capability)) return *limits;
        throw BadInput(fmt::format("--cc {}: no such compute capability; there is {}", options.capability,
                                   fmt::join(devices::known_capabilities(), ", ")));
    }
    return known_device(options.device, "; for others give --cc, as in --cc 8.6");
}

// Throws unless least <= value <= most.
std::uint32_t checked(const char* option, std::int64_t value, std::int64_t least, std::int64_t most, const Device& device,
                      const std::string& what) {
    if (value >= least && value <= most) return static_cast<std::uint32_t>(value);
    throw BadInput(fmt::format("{} {}: {} takes {} to {} {}", option, value, device.name, least, most, what));
}

struct Asked {
    const OccupancyOptions& options;
    Device device;
    [[nodiscard]] std::optional<std::uint32_t> threads() const {
        if (!options.threads) return std::nullopt;
        return checked("--threads", *options.threads, 1, device.max_threads_per_block, device, "threads a block");
    }
    [[nodiscard]] std::optional<std::uint32_t> registers() const {
        if (!options.registers) return std::nullopt;
        return checked("--registers", *options.registers, 1, device.max_registers_per_thread, device, "registers a thread");
    }
    // In addition to the kernel's own.
    [[nodiscard]] std::uint32_t shared(std::uint32_t fixed) const {
        const std::uint32_t most = std::max(device.shared_per_block, device.shared_per_block_optin);
        const std::uint32_t room = fixed > most ? 0 : most - fixed;
        const std::string what = fixed == 0 ? "bytes a block" : fmt::format("bytes a block beside the kernel's own {}", fixed);
        return fixed + checked("--shared", options.shared.value_or(0), 0, room, device, what);
    }
};

// The file with the subject's kernels.
fs::path file_of(const Project& project, const OccupancyOptions& options) {
    fs::path named = options.subject;
    if (fs::is_regular_file(named) || named.extension() == ".cu") {
        if (options.is_solution) throw BadInput("--solution needs a lab, not a file");
        check_program_file(options.subject);
        return named;
    }
    const Lab lab = project.select_one(options.subject, "occupancy");
    if (fs::path(lab.file).extension() != ".cu") throw BadInput(fmt::format("{} runs on the CPU: it has no kernels", lab.name()));
    fs::path file = project.root / (options.is_solution ? "solutions" : "labs") / lab.folder / lab.file;
    if (!std::ifstream(file)) throw BadInput(fmt::format("{}: can't be read", file.string()));
    return file;
}

std::vector<OccupancyCase> at_block_sizes(const Asked& asked, OccupancyCase one, std::uint32_t max_threads) {
    std::vector<OccupancyCase> cases;
    const std::uint32_t most = max_threads == 0 ? asked.device.max_threads_per_block : max_threads;
    const auto add = [&](std::uint32_t threads) {
        one.needs.threads = threads;
        one.found = occupancy(asked.device, one.needs);
        cases.push_back(one);
    };
    if (const auto threads = asked.threads()) {
        if (*threads > most) {
            throw BadInput(fmt::format("--threads {}: __launch_bounds__ of {} allows 1 to {}", *threads, one.kernel, most));
        }
        add(*threads);
    } else {
        for (std::uint32_t threads = 32; threads <= most; threads *= 2) add(threads);
    }
    return cases;
}

std::vector<OccupancyCase> cases_of_kernels(const Project& project, const Asked& asked) {
    const fs::path file = file_of(project, asked.options);
    const std::string capability = fmt::format("{}.{}", asked.device.major, asked.device.minor);
    const auto given = asked.registers();
    std::vector<KernelResources> kernels;
    {
        Progress progress;
        progress.show("compiling " + file.string());
        kernels = kernels_of(project, file, given ? std::nullopt : std::optional(capability));
    }
    // Two compilers' PTX of one kernel may need different numbers of registers.
    const std::string by_ptxas =
        fmt::format("by ptxas for compute capability {}, from {}'s PTX", capability, project.backend == "gpu" ? "nvcc" : "clang");
    std::vector<OccupancyCase> cases;
    for (const KernelResources& kernel : select(kernels, asked.options.kernel, asked.options.subject)) {
        const auto registers = given ? given : kernel.registers;
        if (!registers) throw BadInput(fmt::format("ptxas does not tell the registers of {}: give --registers N", kernel.name));
        OccupancyCase one;
        one.kernel = kernel.name;
        one.registers_from = given ? "as given" : by_ptxas;
        one.needs = {0, *registers, asked.shared(kernel.static_shared)};
        for (OccupancyCase& each : at_block_sizes(asked, one, kernel.max_threads)) cases.push_back(std::move(each));
    }
    return cases;
}

std::vector<OccupancyCase> cases_by_hand(const Asked& asked) {
    if (!asked.options.kernel.empty() || asked.options.is_solution) throw BadInput("a kernel needs its lab or its file before it");
    if (!asked.options.registers) {
        throw BadInput(
            "say what a kernel needs: --registers N, and --threads and --shared, as in ./lab occupancy --threads 256 "
            "--registers 32; or name a lab or a .cu file");
    }
    OccupancyCase one;
    one.needs = {0, *asked.registers(), asked.shared(0)};
    return at_block_sizes(asked, one, 0);
}

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

int occupancy(const Project& project, const OccupancyOptions& options) {
    check_files(options);
    const Asked asked{options, device_of(options)};
    const std::vector<OccupancyCase> cases = options.subject.empty() ? cases_by_hand(asked) : cases_of_kernels(project, asked);
    if (options.draws_curves && cases.size() != 1) {
        throw BadInput(options.threads ? "--curve draws one kernel: add its name, as the table shows it" : "--curve needs --threads N");
    }
    nlohmann::ordered_json figures = to_json(asked.device);
    for (const OccupancyCase& each : cases) figures["cases"].push_back(to_json(each));
    std::string text = limits_line(asked.device);
    text += "\n" + (cases.size() == 1 ? detail(asked.device, cases[0]) : table(cases));
    if (options.draws_curves) text += curves(asked.device, cases[0].needs);
    const bool draws_one = !options.svg.empty() && cases.size() == 1;
    if (options.draws_curves || draws_one) figures["curves"] = curves_to_json(asked.device, cases[0].needs);
    hand_over(text, figures, options, report::plot_occupancy);
    return 0;
}

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
