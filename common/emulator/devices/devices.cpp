#include "common/emulator/devices/device.h"

namespace lab::devices {

const std::vector<const Device*>& all_devices() {
    static const std::vector<const Device*> devices{&h100()};
    return devices;
}

const Device* find_device(const std::string& id) {
    for (const Device* const device : all_devices()) {
        if (device->id == id) return device;
    }
    return nullptr;
}

}  // namespace lab::devices
