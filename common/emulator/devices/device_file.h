// Device files: JSON with // comments, like the ones in known/. `lab devices NAME` prints one, which a user can edit to describe another
// GPU.
#pragma once

#include <stdexcept>
#include <string>

#include "common/emulator/devices/device.h"

namespace lab::devices {

// Error in a device file, in one line: file, error, remedy.
class BadDevice : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

// Reads a device. `text`: the file's contents; `name`: its name in messages; `id`: the device's id. Limits come from the compute capability
// that it names, figures from its other keys, in the units of the keys' suffixes. Throws BadDevice.
[[nodiscard]] Device read_device(const std::string& text, const std::string& name, const std::string& id);

}  // namespace lab::devices
