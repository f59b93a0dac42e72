// The side of a device that a program can't reach: its owner sets it up for a call of student code, and asks what it has seen.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "common/emulator/server/call_record.h"
#include "common/emulator/server/session.h"
#include "common/emulator/server/value_origins.h"
#include "common/runner/protocol.h"
#include "common/runner/request.h"
#include "common/trace/answer.h"

namespace lab::cuda {

// Questions and answers are frames of common/runner/protocol.h: {"ask": what, ...}; {"value": ...} or {"error": why}.
// Replies to begin and end are null if a thread of the program's keeps the device busy.
//   begin            request, and the contents of its inputs: places the arrays that lie on the device; their addresses by name. What the
//                    program does from now on is student code's
//   name_host_array  address, bytes, name: an array that student code gets, in the program's memory
//   end              and the contents of the program's own outputs: replies with a trace::Answer of the call, and the contents of the
//                    device's outputs
//   explain_access   address, and the array around it, if any: why the program can't access it, as a finding, or null
//   replace_kernels  ptx
//   replay           ptx: between `end` and the next `begin`; repeats the call's copies and launches with other kernels of the same names
//                    (those that it launches will do), without the program, and replies as `end` does. Contents, if any: for each output
//                    on the device its expected elements, then the largest right differences from them; no further block or launch begins
//                    once a written element differs by more
class Control {
public:
    // Answers until the other side is gone.
    void serve(int socket);

private:
    void answer(const nlohmann::json& asked, std::vector<std::byte>* content, runner::Frame* frame);
    // Has the program's threads wait for the device; false if one of them does not let it.
    [[nodiscard]] bool makes_wait();
    nlohmann::json begin(const runner::Request& request, std::vector<std::byte>* content);
    void watch();
    void end(const std::vector<std::byte>& content, runner::Frame* frame);
    void replay(const std::string& ptx, std::span<const std::byte> expected, runner::Frame* frame);
    [[nodiscard]] bool has_wrong_output(std::span<const std::byte> expected) const;
    void describe(const PlacedArrays::Array& array, trace::Answer* answer, runner::Frame* frame);
    double end_timed();
    trace::CallTrace report();
    // Prepares for the next call.
    void recover();
    void follow(const WatchedCopy& copy);
    [[nodiscard]] trace::Elsewhere elsewhere(const PlacedArrays::Array* array, const runner::BufferSpec& spec, const std::byte* content);

    const unsigned threads_ = Session::instance().options().threads;  // as LAB_THREADS says
    runner::Request request_;
    std::vector<std::byte> given_;  // contents of the call's inputs
    PlacedArrays arrays_;
    std::vector<std::vector<std::byte>> poison_;  // of outputs that can't be read any more
    std::vector<trace::Launch> launches_;
    trace::ApiCounts before_;
    CallLog log_;
    CallRecord record_;
    std::map<std::string, std::uint64_t> host_arrays_;  // addresses by name
    ValueOrigins origins_;
    double copies_ms_ = 0;
    bool has_ended_ = false;                      // the answer to `end` is on its way
    std::unique_lock<std::timed_mutex> serving_;  // between two calls of student code, whose threads wait meanwhile
};

}  // namespace lab::cuda
