#include "common/tools/studies/study_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "common/emulator/devices/device.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"

namespace lab::tools {

std::string StudyDevice::says() const { return is_modelled ? "modelled for " + id : "measured on " + (name.empty() ? id : name); }

StudyDevice study_device(const Project& project, const std::string& id) {
    StudyDevice device;
    if (project.backend == "gpu") {
        if (!id.empty())
            throw BadInput(fmt::format("--device {}: the GPU that is there is used; to model another: ./lab --backend emulator ...", id));
        if (run({{"nvidia-smi", "-L"}, {}, {}}).output.find("GPU 0") == std::string::npos) {
            throw BadInput("no GPU answers here (nvidia-smi -L); the emulator needs none: ./lab --backend emulator ...");
        }
        device.id = "this GPU";
        device.is_modelled = false;
        return device;
    }
    const devices::Device* const known = devices::find_device(id.empty() ? "h100" : id);
    if (known == nullptr) {
        std::vector<std::string> ids;
        for (const devices::Device* const each : devices::all_devices()) ids.push_back(each->id);
        throw BadInput(fmt::format("--device {}: no such device; there is {}", id, fmt::join(ids, ", ")));
    }
    device.id = known->id;
    device.name = known->name;
    device.max_threads = static_cast<int>(known->max_threads_per_block);
    device.max_block_x = static_cast<int>(known->max_block[0]);
    device.max_block_y = static_cast<int>(known->max_block[1]);
    device.memory_bytes = known->memory_bytes;
    device.memory_gb_per_s = known->memory_gb_per_s;
    // Every scheduler starts an instruction of 32 lanes; a fused multiply-add counts as two operations.
    device.float_gflop_per_s = known->sm_count * known->issue_per_clock * 32 * 2 * known->clock_mhz * 1e-3;
    device.double_gflop_per_s = device.float_gflop_per_s / known->single_to_double_ratio;
    return device;
}

}  // namespace lab::tools
