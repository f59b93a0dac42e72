// The files in known/, compiled in, since programs in the emulator run from any folder.
#pragma once

#include <vector>

namespace lab::devices {

struct KnownDevice {
    const char* id;    // the file's name without ".json"
    const char* text;  // the whole file, comments included
};

// Known devices, oldest first. Generated from the files at configuration (CMakeLists.txt).
[[nodiscard]] const std::vector<KnownDevice>& known_devices();

}  // namespace lab::devices
