// Time limits of a process. Time that other processes take doesn't count, so a busy machine changes no verdict.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

#include "common/runner/device_time.h"

namespace lab::grading {

struct Limits {
    std::chrono::milliseconds processor = std::chrono::seconds(10);  // of all its threads together, without the emulator's launches
    std::chrono::milliseconds asleep = std::chrono::seconds(30);     // none of its threads runs or could run
};

enum class Wait : std::uint8_t { goes_on, computes_too_long, sleeps_too_long };

class Patience {
public:
    // The limits start now. `device` may be null.
    Patience(pid_t process, const runner::DeviceTime* device, Limits limits);
    static constexpr std::chrono::milliseconds between_looks{50};
    // Checks the limits. Call it at least that often; more frequent calls reuse the last check.
    [[nodiscard]] Wait look();

private:
    using Clock = std::chrono::steady_clock;
    // Nanoseconds of processor time of its host code so far; 0 once it has ended.
    [[nodiscard]] std::uint64_t host_time() const;

    pid_t process_;
    const runner::DeviceTime* device_;
    Limits limits_;
    std::uint64_t host_time_before_;
    Clock::time_point looked_ = Clock::now();
    Clock::duration asleep_{};
};

}  // namespace lab::grading
