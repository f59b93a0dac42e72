// What a backend saw while student code ran, as texts for the student; and what its counters say.
#pragma once

#include <cstdint>
#include <string>

#include "common/grading/call.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Why a call came to nothing: what kept it from answering, the fault that stopped its kernel, or the error it returned.
// "" if it ended as it should.
[[nodiscard]] std::string stopped(const Result& result);
// The text of the first finding of a kind ("race"; "" for any kind), or "".
[[nodiscard]] std::string finding(const Result& result, const std::string& kind);
// The whole verdict on one output: stopped, or wrong (with a race, if one was seen, as its likely cause), or "".
template <typename T>
[[nodiscard]] std::string judge_output(const Result& result, const Shape& shape, const Expected& expected, std::uint64_t poison) {
    if (auto problem = stopped(result); !problem.empty()) {
        return problem;
    }
    const auto wrong = compare(shape, result.output<T>(shape.name), expected, poison);
    const auto race = wrong.empty() ? "" : finding(result, "race");
    return race.empty() ? wrong : wrong + "\n" + race;
}

// "modelled for h100" or "measured on NVIDIA H100 80GB HBM3".
[[nodiscard]] std::string kind_of_times(const Result& result);

// One counter of the only launch of a call: counter(result, "global_load", "sectors"). Emulator only; throws
// std::runtime_error when there isn't exactly one launch.
[[nodiscard]] double counter(const Result& result, const std::string& group, const std::string& name);
// A count of API calls: api(result, "leaked_allocations").
[[nodiscard]] std::int64_t api(const Result& result, const std::string& name);

}  // namespace lab::grading
