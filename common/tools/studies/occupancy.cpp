#include "common/tools/studies/occupancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "common/emulator/devices/compute_capability.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/progress.h"
#include "common/tools/studies/kernel_resources.h"
#include "common/tools/studies/occupancy_text.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using devices::Device;

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
        if (!fs::exists(named)) throw BadInput(fmt::format("{}: no such file", options.subject));
        if (!fs::is_regular_file(named)) throw BadInput(fmt::format("{}: not a file; name one .cu file", options.subject));
        if (!std::ifstream(named)) throw BadInput(fmt::format("{}: can't be read", options.subject));
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

}  // namespace

int occupancy(const Project& project, const OccupancyOptions& options) {
    check_files({options.json, options.svg});
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
    hand_over(text, figures, {options.json, options.svg}, report::plot_occupancy);
    return 0;
}

}  // namespace lab::tools
