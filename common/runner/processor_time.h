// Processor time, which excludes other processes' work: clock_gettime(2) and its clocks for processes and threads.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>

namespace lab::runner {

// Nanoseconds on a clock such as CLOCK_PROCESS_CPUTIME_ID; 0 if there is no such clock.
[[nodiscard]] inline std::uint64_t nanoseconds_on(clockid_t clock) {
    constexpr std::uint64_t second = 1'000'000'000;
    timespec now{};
    if (::clock_gettime(clock, &now) != 0) return 0;
    return static_cast<std::uint64_t>(now.tv_sec) * second + static_cast<std::uint64_t>(now.tv_nsec);
}

// Nanoseconds of another process's processor time so far, by the system's clock; 0 if there is none.
[[nodiscard]] inline std::uint64_t nanoseconds_of(pid_t process) {
    clockid_t clock{};
    return process > 0 && ::clock_getcpuclockid(process, &clock) == 0 ? nanoseconds_on(clock) : 0;
}

// The same in milliseconds.
[[nodiscard]] inline double milliseconds_on(clockid_t clock) { return 1e-6 * static_cast<double>(nanoseconds_on(clock)); }

}  // namespace lab::runner
