// Time limits of a process. Time that other processes take doesn't count, so a busy machine changes no verdict.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/topic.h"
#include "common/findings/finding.h"

namespace lab::grading {

using namespace diagnosis;  // suites speak of both

struct Limits {
    std::chrono::milliseconds processor = std::chrono::seconds(10);  // of all its threads together
    std::chrono::milliseconds asleep = std::chrono::seconds(30);     // none of its threads runs or could run, nor its device
    std::chrono::milliseconds device = std::chrono::seconds(120);    // processor time of its device
    std::uint64_t memory = std::uint64_t{6} << 30;                   // bytes of it, and of its device; each page counts once
};

enum class Wait : std::uint8_t { goes_on, computes_too_long, sleeps_too_long, takes_too_much_memory, device_computes_too_long };

class Patience {
public:
    // The limits start now. `device`: the process that emulates its device, at work for it; 0 for none.
    Patience(pid_t process, pid_t device, Limits limits);
    static constexpr std::chrono::milliseconds between_looks{50};
    // Checks the limits. Call it at least that often; more frequent calls reuse the last check.
    [[nodiscard]] Wait look();

private:
    using Clock = std::chrono::steady_clock;
    // Whether a process has taken more processor time than that since the start. False once it has ended.
    [[nodiscard]] static bool has_taken(pid_t process, std::uint64_t before, std::chrono::milliseconds limit);
    [[nodiscard]] bool is_too_large();

    pid_t process_;
    pid_t device_;
    Limits limits_;
    std::uint64_t host_time_before_, device_time_before_;  // nanoseconds
    Clock::time_point looked_ = Clock::now();
    Clock::duration asleep_{};
    Clock::time_point weighed_{};
};

struct Ending {
    std::string reason;                // "crashed with SIGSEGV in matmul_ijk: it touched 4 bytes past the end of N"
    std::vector<std::string> details;  // details, a line each
    std::set<Topic> topics;
    std::vector<Finding> findings;  // that explain it
};

// "during matmul_ijk"; without a function: before any was called.
[[nodiscard]] std::string during(const std::string& function);

// `crash`: the JSON of the runner's crash frame (runner/crash.h), or "".
[[nodiscard]] Ending ended_by(int signal, const std::string& function, const std::string& crash);

}  // namespace lab::grading
