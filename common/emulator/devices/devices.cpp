#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "common/emulator/devices/device.h"
#include "common/emulator/devices/device_file.h"
#include "common/emulator/devices/known_devices.h"

namespace lab::devices {
namespace {

std::vector<Device> read_known() {
    std::vector<Device> devices;
    for (const KnownDevice& known : known_devices()) {
        devices.push_back(read_device(known.text, std::string(known.id) + ".json", known.id));
        devices.back().found_as = known.id;
    }
    return devices;
}

bool is_file_name(const std::string& name) {
    return name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".json";
}

// Reads each file once: users keep a reference to the device.
const Device& from_file(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, Device> read;
    const std::lock_guard lock(mutex);
    if (const auto found = read.find(name); found != read.end()) return found->second;
    std::ifstream file(name);
    const bool is_folder = std::filesystem::is_directory(name);  // can be opened like a file, but not read
    const std::string text = is_folder ? "" : std::string{std::istreambuf_iterator<char>(file), {}};
    if (is_folder || !file) throw BadDevice(name + ": can't be read; ./lab devices h100 prints a device to start from");
    Device device = read_device(text, name, std::filesystem::path(name).stem());
    device.found_as = std::filesystem::absolute(name);
    return read.emplace(name, std::move(device)).first->second;
}

const Device& known(const std::string& id) {
    const auto& all = all_devices();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Device& device) { return device.id == id; });
    if (found == all.end()) throw BadDevice(id + ": no such device; there is " + device_ids() + ", or a file (./lab devices --help)");
    return *found;
}

}  // namespace

const std::vector<Device>& all_devices() {
    static const std::vector<Device> devices = read_known();
    return devices;
}

const Device& device_of(std::string_view id_or_file) {
    const std::string name(id_or_file);
    return is_file_name(name) ? from_file(name) : known(name);
}

std::string device_ids() {
    std::string ids;
    for (const Device& device : all_devices()) ids += (ids.empty() ? "" : ", ") + device.id;
    return ids;
}

}  // namespace lab::devices
