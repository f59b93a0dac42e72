// The emulated device of a program, as its owner: starts it, sets it up for each call and asks it what it has seen. The program reaches the
// device by a socket of its own and can't reach this side.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/runner/protocol.h"

namespace lab::grading {

class DeviceProcess {
public:
    // Makes the program's connection; the device itself is started later. Throws std::system_error.
    DeviceProcess();
    ~DeviceProcess();
    DeviceProcess(const DeviceProcess&) = delete;
    DeviceProcess& operator=(const DeviceProcess&) = delete;

    // Descriptor that the program inherits; LAB_DEVICE_SOCKET tells it the number.
    [[nodiscard]] int programs_end() const { return program_; }
    // Call it once the program has inherited the descriptor.
    void close_programs_end();
    // The other end; becomes readable when the program makes its first call. -1 once the device has it.
    [[nodiscard]] int devices_end() const { return device_; }
    // Starts the device, unless it runs. Throws std::system_error.
    void start();
    // 0 before start().
    [[nodiscard]] pid_t process() const { return pid_; }

    // Asks what common/emulator/server/control.h describes. `contents`: of arrays that belong to the question; `answered` gets those that
    // come with the answer. Throws DeviceFailure.
    nlohmann::json ask(const char* what, nlohmann::json fields, std::vector<std::span<const std::byte>> contents = {},
                       std::vector<std::byte>* answered = nullptr);

private:
    int program_ = -1, device_ = -1, questions_ = -1;
    pid_t pid_ = 0;
};

// The device can't do what it was asked, or is gone.
class DeviceFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lab::grading
