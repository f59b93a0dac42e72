// What of a runner's processor time its device took: a limit on a student's host code leaves that out.
#pragma once

#include <atomic>
#include <cstdint>

namespace lab::runner {

// Lies in memory that the suite and its runner share. Times are those of the runner's process, all of its threads together, in nanoseconds.
struct DeviceTime {
    std::atomic<std::uint64_t> spent{0};  // by launches that have ended
    std::atomic<std::uint64_t> since{0};  // the process's time when the launch began that runs now; 0 for none

    // Around each launch, by the runner.
    void launch_begins();
    void launch_ends();
    // The device's share, when the process has taken `processor` nanoseconds.
    [[nodiscard]] std::uint64_t until(std::uint64_t processor) const;
};

// A new one, and the descriptor by which a runner finds it. Null and -1, errno set, if there can be none.
[[nodiscard]] DeviceTime* share_device_time(int* descriptor);
void unshare(DeviceTime* shared);
// The one of that descriptor, which is closed; null if it is none.
[[nodiscard]] DeviceTime* take_device_time(int descriptor);

}  // namespace lab::runner
