#include "common/grading/ending.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "common/findings/finding_json.h"
#include "common/findings/finding_text.h"

namespace lab::grading {
namespace {

constexpr const char* past_local_array = "it ran past the end of a local array: for which sizes is that too small?";

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

// Position of the address relative to the arrays, or the fact that it is in none.
std::string about_address(const nlohmann::json& crash) {
    if (crash.contains("element")) {
        const auto element = crash.value("element", std::int64_t{0});
        const std::string array = crash.value("array", "");
        return element < 0 ? fmt::format("it touched {}[{}], as an int index would that has overflowed", array, element)
                           : fmt::format("it touched {0}[{1}], but {0} has {2} elements: did an unsigned index go below 0?", array, element,
                                         crash.value("count", std::uint64_t{0}));
    }
    if (!crash.contains("array")) {
        return fmt::format("it touched the address {}, which is none of its arrays'", crash.value("address", "?"));
    }
    const auto distance = crash.value("distance", std::int64_t{0});
    const auto name = crash.value("array", "");
    if (!crash.value("past_end", false)) {
        return distance < 0 ? fmt::format("it touched {} bytes before the start of {}", -distance, name)
                            : fmt::format("it wrote to {}, which may only be read", name);
    }
    return distance == 0 ? fmt::format("it touched the bytes directly past the end of {}", name)
                         : fmt::format("it touched {} bytes past the end of {}", distance, name);
}

// The accessed array, or none; topic `bad_address` if the address shows the direction of the mistake.
Ending about_array(const nlohmann::json& crash) {
    const bool is_read_only = crash.contains("array") && !crash.value("past_end", false) && crash.value("distance", std::int64_t{0}) >= 0;
    Ending ending{about_address(crash), {}, {}, {}};
    if (!is_read_only) ending.topics.insert(Topic::bad_address);
    return ending;
}

Ending about_crash(const std::string& crash) {
    const auto json = nlohmann::json::parse(crash, nullptr, false);
    if (!json.is_object()) {
        return {};
    }
    if (json.value("stack", false)) {
        return {"the stack is full: a function that calls itself without end, or a large local array?", {}, {}, {}};
    }
    if (json.value("local_array", false)) {
        return {std::string(past_local_array), {}, {}, {}};
    }
    if (!json.contains("finding")) {
        return about_array(json);
    }
    try {
        const auto finding = json.at("finding").get<Finding>();
        return {finding.headline, evidence_of(finding), {}, {finding}};
    } catch (const BadFinding&) {
        return {};
    }
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
