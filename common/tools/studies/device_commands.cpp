#include "common/tools/studies/device_commands.h"

#include <memory>

#include "common/tools/emulator_options.h"
#include "common/tools/studies/bandwidth.h"
#include "common/tools/studies/devices.h"
#include "common/tools/studies/fidelity.h"
#include "common/tools/studies/latency.h"
#include "common/tools/studies/occupancy.h"

namespace lab::tools {
namespace {

void describe(CLI::App& app, OccupancyOptions& options) {
    app.add_option("LAB|FILE", options.subject, "whose kernels; none: the figures are given by --threads, --registers and --shared");
    app.add_option("KERNEL", options.kernel, "one kernel instead of all");
    app.add_option("--threads", options.threads, "threads a block; 32, 64, ... if not given")->type_name("N");
    app.add_option("--registers", options.registers, "registers a thread; asked of ptxas if not given")->type_name("N");
    app.add_option("--shared", options.shared, "bytes of shared memory a block; for a kernel, the dynamic ones beside its own")
        ->type_name("BYTES");
    app.add_option("--device", options.device, "the GPU; h100 if not given");
    app.add_option("--cc", options.capability, "any GPU of this compute capability")->type_name("MAJOR.MINOR");
    app.add_flag("--solution", options.is_solution, "the reference solution's kernels");
    app.add_flag("--curve", options.draws_curves, "draw it over block size, registers and shared memory");
    app.add_option("--json", options.json, "write the figures there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
}

void describe(CLI::App& app, BandwidthOptions& options) {
    app.add_option("--sizes", options.sizes, "bytes to copy, with K, M or G, commas between; powers of two if not given")
        ->type_name("LIST");
    add_device(app, options.device);
    app.add_option("--repeats", options.repeats, "times that each is measured, on a GPU; the median counts")->type_name("N");
    app.add_option("--json", options.json, "write the figures there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
}

void describe(CLI::App& app, LatencyOptions& options) {
    app.add_option("--repeats", options.repeats, "times that each is measured; the median counts")->type_name("N");
    app.add_option("--json", options.json, "write the figures there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
}

void describe(CLI::App& app, FidelityOptions& options) {
    app.add_option("--device", options.device, "only tables about this GPU; with --rows, the GPU to model");
    app.add_flag("--measure", options.measures, "on a GPU: time the labs' kernels in many sizes and blocks, and count them by ncu");
    app.add_option("--kernels", options.kernels, "with --measure: the labs' kernels, or others that the model wasn't made with")
        ->check(CLI::IsMember({"labs", "others"}))
        ->default_str("labs");
    app.add_option("--rows", options.rows, "what was measured so: model the same; with --measure, where it goes")->type_name("FILE");
    app.add_option("--size", options.size, "rows of matrices up to this side")->check(CLI::Range(512, 8192))->capture_default_str();
    app.add_option("--sample", options.blocks, "of larger launches of rows model about so many blocks; 0: all")
        ->type_name("BLOCKS")
        ->capture_default_str();
    app.add_option("--json", options.json, "write the figures there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
}

void describe(CLI::App& app, DevicesOptions& options) {
    app.add_option("NAME|FILE", options.subject,
                   "a device: print its file, to change into another GPU's; a file (its name has a slash or ends in .json): check it. "
                   "--device takes either");
    app.add_option("--json", options.json, "write the list there; - prints it")->type_name("OUT");
}

struct DeviceStudies {
    DevicesOptions devices;
    OccupancyOptions occupancy;
    BandwidthOptions bandwidth;
    LatencyOptions latency;
    FidelityOptions fidelity;
};

}  // namespace

std::function<std::optional<int>(const Project&)> add_studies(CLI::App& app) {
    const auto options = std::make_shared<DeviceStudies>();
    const CLI::App* const devices_command = app.add_subcommand("devices", "The GPUs that the emulator can model");
    describe(*app.get_subcommand("devices"), options->devices);
    const CLI::App* const occupancy_command = app.add_subcommand("occupancy", "Blocks and warps that an SM holds, and what limits them");
    describe(*app.get_subcommand("occupancy"), options->occupancy);
    const CLI::App* const bandwidth_command =
        app.add_subcommand("bandwidth", "What copies cost: start, rate, and the size that gets half of it");
    describe(*app.get_subcommand("bandwidth"), options->bandwidth);
    const CLI::App* const latency_command = app.add_subcommand("latency", "What a dependent fma costs on a GPU, and what hides it");
    describe(*app.get_subcommand("latency"), options->latency);
    const CLI::App* const fidelity_command = app.add_subcommand("fidelity", "Published times beside those that the emulator models");
    describe(*app.get_subcommand("fidelity"), options->fidelity);
    return [=](const Project& project) -> std::optional<int> {
        if (*devices_command) return list_devices(options->devices);
        if (*occupancy_command) return occupancy(project, options->occupancy);
        if (*bandwidth_command) return bandwidth(project, options->bandwidth);
        if (*latency_command) return latency(project, options->latency);
        if (*fidelity_command) return fidelity(project, options->fidelity);
        return std::nullopt;
    };
}

}  // namespace lab::tools
