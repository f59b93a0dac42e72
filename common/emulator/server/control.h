// The side of a device that a program can't reach: whoever owns the device sets it up for a call of student code and asks what it saw.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "common/emulator/server/call_log.h"
#include "common/emulator/server/session.h"
#include "common/runner/protocol.h"
#include "common/runner/request.h"
#include "common/runner/value_origins.h"
#include "common/trace/call.h"

namespace lab::cuda {

// Questions and answers are frames of common/runner/protocol.h: {"ask": what, ...} with the content of an array; {"value": ...} or
// {"error": why}.
class Control {
public:
    // Answers until the other side is gone.
    void serve(int socket);

private:
    nlohmann::json answer(const nlohmann::json& asked, const std::vector<std::byte>& content);
    void begin(const runner::BackendOptions& options);
    void watch();
    double end_timed();
    trace::CallTrace report();
    void recover();
    void forget();
    void follow(const WatchedCopy& copy);
    nlohmann::json elsewhere(const nlohmann::json& asked, const std::vector<std::byte>& content);

    std::vector<trace::Launch> launches_;
    ApiCounts before_;
    CallLog log_;
    runner::ValueOrigins origins_;
    std::vector<std::vector<std::byte>> inputs_;  // that origins_ knows
    bool follows_values_ = false;
    double copies_ms_ = 0;
    bool stopped_ = false;
};

}  // namespace lab::cuda
