#include "common/tools/studies/study_device.h"

#include <fmt/format.h>

#include <fstream>

#include "common/emulator/devices/device_file.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"

namespace lab::tools {

std::string StudyDevice::says() const { return is_modelled ? "modelled for " + id : "measured on " + (name.empty() ? id : name); }

const devices::Device& known_device(const std::string& id, std::string_view advice) {
    try {
        return devices::device_of(id.empty() ? "h100" : id);
    } catch (const devices::BadDevice& problem) {
        throw BadInput(fmt::format("--device {}{}", problem.what(), advice));
    }
}

StudyDevice study_device(const Project& project, const std::string& id) {
    StudyDevice device;
    if (project.backend == "gpu") {
        if (!id.empty())
            throw BadInput(fmt::format("--device {}: the GPU that is there is used; to model another: ./lab --backend emulator ...", id));
        if (run({{"nvidia-smi", "-L"}}).output.find("GPU 0") == std::string::npos) {
            throw BadInput("no GPU answers here (nvidia-smi -L); the emulator needs none: ./lab --backend emulator ...");
        }
        device.id = "this GPU";
        device.is_modelled = false;
        return device;
    }
    const devices::Device& known = known_device(id);
    device.id = known.id;
    device.found_as = known.found_as;
    device.name = known.name;
    device.max_threads = static_cast<int>(known.max_threads_per_block);
    device.max_block_x = static_cast<int>(known.max_block[0]);
    device.max_block_y = static_cast<int>(known.max_block[1]);
    device.memory_bytes = known.memory_bytes;
    device.memory_gb_per_s = known.memory_gb_per_s;
    device.float_gflop_per_s = peak_gflop_per_s(known, false);
    device.double_gflop_per_s = peak_gflop_per_s(known, true);
    return device;
}

double peak_gflop_per_s(const devices::Device& device, bool is_double) {
    const double of_float = device.sm_count * device.fp32_per_clock * 2 * device.clock_mhz * 1e-3;
    return is_double ? of_float / device.single_to_double_ratio : of_float;
}

std::optional<std::uint64_t> available_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string word; file >> word;) {
        std::uint64_t kib = 0;
        if (word == "MemAvailable:" && file >> kib) return kib * 1024;
    }
    return std::nullopt;
}

}  // namespace lab::tools
