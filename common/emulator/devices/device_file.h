// Devices as files: JSON in which // comments are allowed, as the ones in known/ are written. `lab devices NAME` prints one of
// those, so that a user can change it into another GPU.
#pragma once

#include <stdexcept>
#include <string>

#include "common/emulator/devices/device.h"

namespace lab::devices {

// One line: which file, what is wrong, what to do.
class BadDevice : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

// `text` of the file; `name`: what messages call it; `id`: the device's. Limits come from the compute capability that it names,
// figures from its other keys, with the units that their names end in. Throws BadDevice.
[[nodiscard]] Device read_device(const std::string& text, const std::string& name, const std::string& id);

}  // namespace lab::devices
