// `lab devices`: the GPUs that the emulator can model, and the file behind each.
#pragma once

#include <string>

namespace lab::tools {

struct DevicesOptions {
    std::string subject;  // an id: print its file; a file: check it and show what it says; "": all devices
    std::string json;
};

// 0. Throws BadInput.
[[nodiscard]] int list_devices(const DevicesOptions& options);

}  // namespace lab::tools
