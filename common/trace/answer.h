// A runner's answer to one call: the result, or the access that crashed.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/trace/call.h"

namespace lab::trace {

// The first element of an input that the call has changed.
struct Change {
    std::size_t element = 0;
    std::string now;  // its value
};

struct Answer {
    // Why there is no result, if there is none: what the student's code has thrown, or what hindered the runner itself.
    std::optional<std::string> exception, setup;
    bool usable = true;  // whether the runner can take another call
    int status = 0;      // returned
    std::string status_text;
    std::vector<double> times_ms;
    nlohmann::json values;  // further values from the lab's adapter
    CallTrace report;
    // By names of arrays. Outputs follow the answer as raw bytes.
    std::map<std::string, bool> fronts_intact;       // whether what lies directly before an array is as it was
    std::map<std::string, std::uint64_t> checksums;  // of inputs, after the call
    std::map<std::string, Change> changed;           // inputs
    std::map<std::string, Elsewhere> elsewhere;      // outputs with elements that no kernel stored
};

// The access that crashed. The runner's signal handler writes this JSON (runner/crash.cpp).
struct Crash {
    std::string address = "?";
    std::optional<std::string> array;  // in or beside which the address lies
    std::int64_t distance = 0;         // bytes past its end, or from its start
    bool past_end = false;
    std::optional<std::int64_t> element;  // index of the element, where an index wrapped at 2^32
    std::uint64_t count = 0;              // elements of the array
    bool stack = false;                   // the stack is full
    bool local_array = false;             // the address lies above the stack
    std::optional<Finding> finding;       // the backend's explanation
};

}  // namespace lab::trace
