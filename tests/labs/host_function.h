// Judges a host function that allocates, copies and launches: its obligations when one of its calls fails.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>

#include "common/grading/call.h"
#include "common/grading/findings.h"
#include "common/grading/shapes.h"

namespace lab::grading {

struct HostFunction {
    std::string name;                 // "matmul_on_device"
    std::string at;                   // "at W=20": the inputs of make_call
    std::function<Call()> make_call;  // with inputs of its own each time
};

// Memory that it has not freed, or nothing.
[[nodiscard]] inline Message leaked(const Result& result) {
    const auto lost = result.api.leaked_allocations;
    if (lost == 0) {
        return {};
    }
    Message message = leak(result);  // says where
    message.what = fmt::format("memory leak: {} of {} allocations ({} bytes) {} never freed", lost, result.api.allocations,
                               result.api.leaked_bytes, lost == 1 ? "is" : "are");
    if (message.evidence.empty()) {
        message = message.with("each cudaMalloc needs a cudaFree on every way out of the function");
    }
    return message;
}

// Its obligations when one of its calls was made to fail: it returns, with an error, and frees all memory. `failed`: that call, "allocation
// 1 of 3". `first_error`: the name of the expected error; "" if the failed call returns none.
[[nodiscard]] inline Message judge_after_error(const HostFunction& function, const Result& result, const std::string& failed,
                                               const std::string& first_error, const Message& swallowed) {
    const std::string place = fmt::format("{} when {} fails", function.name, failed);
    if (!result.problem.empty()) {
        return result.problem.at(place);
    }
    if (result.status == 0) {
        return swallowed.at(place).of(Topic::swallowed_error);
    }
    if (result.status_text.rfind(first_error, 0) != 0) {
        return Message(function.name + " went on after a call had failed, and returned another error",
                       {fmt::format("the first error was {}; it returned {}", first_error, result.status_text)})
            .at(place);
    }
    for (const FindingKind kind : {FindingKind::double_free, FindingKind::wrong_free, FindingKind::use_after_free}) {
        if (const Message misuse = finding(result, kind); !misuse.empty()) {
            return misuse.at(place);
        }
    }
    const auto lost = result.api.leaked_allocations;
    if (lost == 0) {
        return {};
    }
    return Message(fmt::format("memory leak when {} fails: free on that way out as well", failed),
                   {fmt::format("{} of the allocations that succeeded, {} bytes, {} still there after it returned", lost,
                                result.api.leaked_bytes, lost == 1 ? "is" : "are")})
        .at(place)
        .of(Topic::leak_after_error);
}

// Verdict on a run without injected failures; `result` only if the message is empty.
[[nodiscard]] inline Message judge_undisturbed(const HostFunction& function, Result* result) {
    *result = function.make_call().run(student());
    auto problem = stopped(*result);
    if (problem.empty() && (result->api.allocations < 1 || result->api.launches < 1)) {
        problem = {function.name + " computes nothing on the device: it has to allocate there and to launch a kernel",
                   {fmt::format("{} calls of cudaMalloc and {} launches were seen", result->api.allocations, result->api.launches)}};
    }
    for (auto output = result->elsewhere.begin(); problem.empty() && output != result->elsewhere.end(); ++output) {
        problem = judge_right(*result, {output->first}, Care::result);
    }
    return problem.at(function.name + " " + function.at);
}

// Calls of one kind, each of which is made to fail once.
struct Failing {
    const char* call;                            // "copy"
    std::int64_t count;                          // of them in a run that nothing makes fail
    std::uint64_t runner::BackendOptions::*nth;  // which one is to fail, from 1
    const char* error;                           // the name of what it returns then
    const char* swallowed;                       // message if no error is returned
    const char* effect;                          // of the failure: "copied nothing"
};

inline void judge_each_failing(const HostFunction& function, const Failing& calls) {
    Shapes shapes;
    for (std::int64_t failing = 1; failing <= calls.count; ++failing) {
        const std::string which = fmt::format("{} {} of {}", calls.call, failing, calls.count);
        shapes.attempt(which, [&] {
            Call call = function.make_call();
            call.backend().*calls.nth = static_cast<std::uint64_t>(failing);
            return judge_after_error(function, call.run(student()), which, calls.error,
                                     {calls.swallowed, {fmt::format("{} returned {} and {}", which, calls.error, calls.effect)}});
        });
    }
    shapes.judge();
}

// `error` must be returned for each failed allocation, and nothing may stay allocated.
inline void judge_failing_allocations(const HostFunction& function, std::int64_t allocations) {
    const std::string swallowed = fmt::format("an allocation failed, but {} returned cudaSuccess: return the first error", function.name);
    judge_each_failing(function, {"allocation", allocations, &runner::BackendOptions::fail_allocation, "cudaErrorMemoryAllocation",
                                  swallowed.c_str(), "gave no pointer"});
}

inline void judge_failing_copies(const HostFunction& function, std::int64_t copies) {
    const std::string swallowed = fmt::format("a copy failed, but {} returned cudaSuccess: return the first error", function.name);
    judge_each_failing(
        function, {"copy", copies, &runner::BackendOptions::fail_copy, "cudaErrorECCUncorrectable", swallowed.c_str(), "copied nothing"});
}

// Why `what` happened, "f returned cudaSuccess", although a launch failed.
[[nodiscard]] inline std::string lost_launch_error(const std::string& what, const Result& result) {
    const auto is_unasked = [](const Finding& one) { return one.kind == FindingKind::unchecked_launch_error; };
    const bool is_asked = result.api.error_queries > 0 && std::ranges::none_of(result.findings, is_unasked);
    return fmt::format("the launch failed, but {}: {}", what,
                       !is_asked ? "a launch returns nothing, ask cudaGetLastError()"
                       : result.api.error_queries == 1
                           ? "cudaGetLastError() was asked, but its result is lost"
                           : "cudaGetLastError() clears what it returns: is the result of a later call returned?");
}

// `never_ran`: its effect, "the kernel never ran, and P was copied out all the same".
[[nodiscard]] inline Message judge_failing_launch(const HostFunction& function, const std::string& never_ran) {
    Call call = function.make_call();
    call.backend().fail_launch = 1;
    const Result result = call.run(student());
    return judge_after_error(
        function, result, "its launch", "",
        Message(lost_launch_error(function.name + " returned cudaSuccess", result), {never_ran}).of(Topic::swallowed_launch_error));
}

}  // namespace lab::grading
