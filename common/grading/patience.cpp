#include "common/grading/patience.h"

#include <fmt/format.h>
#include <time.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/process/page_size.h"
#include "common/runner/processor_time.h"

namespace lab::grading {
namespace {

// "R": runs or is ready, "D": waits for a disk or for memory (proc(5)); a thread that has just ended counts as neither.
bool is_at_work(const std::filesystem::path& thread) {
    std::ifstream file(thread / "stat");
    std::string text;
    std::getline(file, text);  // reports a failure as a missing line, unlike an iterator
    const std::size_t name_ends = text.rfind(") ");
    const char state = name_ends == std::string::npos || name_ends + 2 >= text.size() ? 'X' : text[name_ends + 2];
    return state == 'R' || state == 'D';
}

bool is_asleep(pid_t process) {
    std::error_code failed;
    std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), failed);
    for (; !failed && thread != std::filesystem::directory_iterator(); thread.increment(failed)) {
        if (is_at_work(thread->path())) return false;
    }
    return !failed;
}

}  // namespace

Patience::Patience(pid_t process, pid_t device, Limits limits)
    : process_(process),
      device_(device),
      limits_(limits),
      host_time_before_(runner::nanoseconds_of(process)),
      device_time_before_(runner::nanoseconds_of(device)) {}

bool Patience::has_taken(pid_t process, std::uint64_t before, std::chrono::milliseconds limit) {
    const std::uint64_t now = runner::nanoseconds_of(process);
    return now > before && std::chrono::nanoseconds(now - before) > limit;
}

// Pages that are mapped many times count once. Telling that takes time, so it is asked only of large processes, and rarely.
bool Patience::is_too_large() {
    constexpr std::chrono::seconds between{1};
    std::uint64_t all = 0, resident = 0;
    std::ifstream(fmt::format("/proc/{}/statm", process_)) >> all >> resident;
    const auto now = Clock::now();
    if (resident * page_bytes() <= limits_.memory || now - weighed_ < between) return false;
    weighed_ = now;
    std::ifstream file(fmt::format("/proc/{}/smaps_rollup", process_));
    for (std::string word; file >> word;) {
        if (std::uint64_t kib = 0; word == "Pss:" && file >> kib) return kib * 1024 > limits_.memory;
    }
    return false;
}

Wait Patience::look() {
    const auto now = Clock::now();
    const auto passed = now - looked_;
    if (passed < between_looks) return Wait::goes_on;
    looked_ = now;
    if (has_taken(process_, host_time_before_, limits_.processor)) return Wait::computes_too_long;
    if (device_ != 0 && has_taken(device_, device_time_before_, limits_.device)) return Wait::device_computes_too_long;
    if (is_too_large()) return Wait::takes_too_much_memory;
    if (is_asleep(process_) && (device_ == 0 || is_asleep(device_))) asleep_ += passed;
    return asleep_ > limits_.asleep ? Wait::sleeps_too_long : Wait::goes_on;
}

}  // namespace lab::grading
