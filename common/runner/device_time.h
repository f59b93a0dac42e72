// Processor time of a runner that its device took: the limit on a student's host code excludes it.
#pragma once

#include <atomic>
#include <cstdint>

namespace lab::runner {

// In memory shared by the suite and its runner. Times are those of the runner's process over all threads, in nanoseconds.
struct DeviceTime {
    std::atomic<std::uint64_t> spent{0};  // by launches that have ended
    std::atomic<std::uint64_t> since{0};  // the process's time when the current launch began; 0 for none

    // Called around each launch, by the runner.
    void launch_begins();
    void launch_ends();
    // The device's share of the `processor` nanoseconds that the process has taken.
    [[nodiscard]] std::uint64_t until(std::uint64_t processor) const;
};

// Creates one, with the descriptor by which a runner finds it. Null and -1, errno set, on failure.
[[nodiscard]] DeviceTime* share_device_time(int* descriptor);
void unshare(DeviceTime* shared);
// The one of that descriptor, which is closed; null if there is none.
[[nodiscard]] DeviceTime* take_device_time(int descriptor);

}  // namespace lab::runner
