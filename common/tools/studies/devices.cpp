#include "common/tools/studies/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/emulator/devices/known_devices.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

using devices::Device;

constexpr double mib = 1024 * 1024;

std::string table(const std::vector<Device>& list) {
    std::string text =
        fmt::format("{:<9} {:<22} {:>4} {:>4} {:>5} {:>8} {:>11} {:>6}\n", "id", "GPU", "cc", "SMs", "MHz", "L2, KiB", "DRAM, GB/s", "GiB");
    for (const Device& device : list) {
        text += fmt::format("{:<9} {:<22} {:>4} {:>4} {:>5.0f} {:>8} {:>11.1f} {:>6.1f}\n", device.id, device.name,
                            fmt::format("{}.{}", device.major, device.minor), device.sm_count, device.clock_mhz, device.l2_bytes / 1024,
                            device.memory_gb_per_s, static_cast<double>(device.memory_bytes) / (1024 * mib));
    }
    return text;
}

nlohmann::ordered_json to_json(const std::vector<Device>& list) {
    nlohmann::ordered_json json;
    json["devices"] = nlohmann::ordered_json::array();
    for (const Device& device : list) {
        json["devices"].push_back({{"id", device.id},
                                   {"name", device.name},
                                   {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                                   {"sm_count", device.sm_count},
                                   {"clock_mhz", device.clock_mhz},
                                   {"l2_bytes", device.l2_bytes},
                                   {"memory_gb_per_s", device.memory_gb_per_s},
                                   {"memory_bytes", device.memory_bytes}});
    }
    return json;
}

}  // namespace

int list_devices(const DevicesOptions& options) {
    check_json_option(options.json);
    const auto& known = devices::known_devices();
    const auto file = std::find_if(known.begin(), known.end(), [&](const auto& each) { return options.subject == each.id; });
    const std::vector<Device> list = options.subject.empty() ? devices::all_devices() : std::vector<Device>{known_device(options.subject)};
    const bool is_file = file != known.end();
    if (is_file && options.json != "-") fmt::print("{}", file->text);  // as it is: to be changed and read again
    hand_over(is_file ? "" : table(list), to_json(list), options.json);
    return 0;
}

}  // namespace lab::tools
