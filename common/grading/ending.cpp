#include "common/grading/ending.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "common/findings/finding_text.h"
#include "common/trace/json.h"

namespace lab::grading {
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
