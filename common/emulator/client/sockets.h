// The two sockets to the device of this process.
#pragma once

namespace lab::client {

struct Sockets {
    int calls = -1;      // of the program: sequenced packets, as wire.h says
    int questions = -1;  // of the device's owner: a stream
};

// Those that LAB_DEVICE_SOCKETS names ("3 4"), which whoever owns the device has set; else those to a device that this starts. Ends the
// process with one line where there can be none.
[[nodiscard]] const Sockets& device_sockets();

}  // namespace lab::client
