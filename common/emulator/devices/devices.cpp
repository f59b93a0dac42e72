#include "common/emulator/devices/device.h"

namespace lab::devices {

const std::vector<const Device*>& all_devices() {
    static const std::vector<const Device*> devices{&h100(), &gtx280()};
    return devices;
}

const Device* find_device(const std::string& id) {
    for (const Device* const device : all_devices()) {
        if (device->id == id) return device;
    }
    return nullptr;
}

std::string device_ids() {
    std::string ids;
    for (const Device* const device : all_devices()) ids += (ids.empty() ? "" : ", ") + device->id;
    return ids;
}

}  // namespace lab::devices
