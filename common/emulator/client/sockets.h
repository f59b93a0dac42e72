// The two sockets to the device of this process.
#pragma once

namespace lab::client {

struct Sockets {
    int calls = -1;      // sequenced packets, the protocol of wire.h
    int questions = -1;  // a stream, the protocol of common/emulator/server/control.h
};

// Starts the device at the first call of a process. Ends the process with one line on failure.
[[nodiscard]] const Sockets& device_sockets();

}  // namespace lab::client
