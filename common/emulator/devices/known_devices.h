// The files in known/, as they are, compiled in: programs in the emulator run from anywhere.
#pragma once

#include <vector>

namespace lab::devices {

struct KnownDevice {
    const char* id;    // the file's name without ".json"
    const char* text;  // all of it, comments included
};

// The oldest first. Made from the files when the project is configured (CMakeLists.txt).
[[nodiscard]] const std::vector<KnownDevice>& known_devices();

}  // namespace lab::devices
