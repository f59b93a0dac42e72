#include "common/grading/patience.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "common/findings/finding_text.h"
#include "common/process/page_size.h"
#include "common/runner/processor_time.h"
#include "common/trace/json.h"

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

// Memory of a process; 0 for none.
std::uint64_t resident_bytes(pid_t process) {
    std::uint64_t all = 0, resident = 0;
    if (process != 0) std::ifstream(fmt::format("/proc/{}/statm", process)) >> all >> resident;
    return resident * page_bytes();
}

// Its share of that where pages are mapped several times.
std::uint64_t own_bytes(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/smaps_rollup", process));
    for (std::string word; file >> word;) {
        if (std::uint64_t kib = 0; word == "Pss:" && file >> kib) return kib * 1024;
    }
    return 0;
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
    const auto now = Clock::now();
    if ((resident_bytes(process_) <= limits_.memory && resident_bytes(device_) <= limits_.memory) || now - weighed_ < between) return false;
    weighed_ = now;
    return own_bytes(process_) > limits_.memory || own_bytes(device_) > limits_.memory;
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

namespace {

constexpr const char* past_local_array = "it ran past the end of a local array: for which sizes is that too small?";

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

// Position of the address relative to the arrays, or the fact that it is in none.
std::string about_address(const trace::Crash& crash) {
    const std::string name = crash.array.value_or("");
    if (crash.element) {
        return *crash.element < 0 ? fmt::format("it touched {}[{}], as an int index would that has overflowed", name, *crash.element)
                                  : fmt::format("it touched {0}[{1}], but {0} has {2} elements: did an unsigned index go below 0?", name,
                                                *crash.element, crash.count);
    }
    if (!crash.array) {
        return fmt::format("it touched the address {}, which is none of its arrays'", crash.address);
    }
    if (!crash.past_end) {
        return crash.distance < 0 ? fmt::format("it touched {} bytes before the start of {}", -crash.distance, name)
                                  : fmt::format("it wrote to {}, which may only be read", name);
    }
    return crash.distance == 0 ? fmt::format("it touched the bytes directly past the end of {}", name)
                               : fmt::format("it touched {} bytes past the end of {}", crash.distance, name);
}

Ending about_crash(const std::string& text) {
    trace::Crash crash;
    try {
        nlohmann::json::parse(text, nullptr, false).get_to(crash);
    } catch (const trace::BadForm&) {
        return {};
    }
    if (crash.stack) {
        return {"the stack is full: a function that calls itself without end, or a large local array?", {}, {}, {}};
    }
    if (crash.local_array) {
        return {std::string(past_local_array), {}, {}, {}};
    }
    if (crash.finding) {
        return {crash.finding->headline, evidence_of(*crash.finding), {}, {*crash.finding}};
    }
    // Unless the array is only written to, the address shows the direction of the mistake.
    Ending ending{about_address(crash), {}, {}, {}};
    const bool is_read_only = crash.array && !crash.past_end && crash.distance >= 0;
    if (!is_read_only) ending.topics.insert(Topic::bad_address);
    return ending;
}

}  // namespace

std::string during(const std::string& function) {
    return function.empty() ? "before any of your functions was called (in a static initialiser?)" : "during " + function;
}

Ending ended_by(int signal, const std::string& function, const std::string& crash) {
    const std::string where = function.empty() ? during("") : "in " + function;
    switch (signal) {
        case SIGABRT:
            if (Ending ending = about_crash(crash); ending.reason == past_local_array) {
                return {fmt::format("stopped {}: {}", where, past_local_array), {}, {Topic::crash}, {}};
            }
            return {fmt::format("stopped with SIGABRT {}: a failed assert, an uncaught exception, abort(), or memory freed twice or "
                                "overwritten (see what it printed)",
                                where),
                    {},
                    {},
                    {}};
        case SIGKILL:
            return {fmt::format("killed {}: did it use up the memory?", where), {}, {}, {}};
        case SIGFPE:
            return {fmt::format("crashed with SIGFPE {}: an integer division by zero", where), {}, {Topic::crash}, {}};
        default: {
            Ending ending = about_crash(crash);
            ending.topics.insert(Topic::crash);
            ending.reason =
                fmt::format("crashed with {} {}{}{}", signal_name(signal), where, ending.reason.empty() ? "" : ": ", ending.reason);
            return ending;
        }
    }
}

}  // namespace lab::grading
