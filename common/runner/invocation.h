// One test's call of student code: its arguments, and the timed, observed and reported call.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/runner/backend.h"
#include "common/runner/buffer.h"
#include "common/runner/protocol.h"
#include "common/runner/request.h"
#include "common/trace/answer.h"

namespace lab::runner {

class Invocation {
public:
    // The suite's part of a call.
    struct Suite {
        std::function<void(const Invocation& call)> announce;  // directly before student code runs
        // Before and after each call that the suite measures: milliseconds since the last one.
        std::function<double()> tick;
    };

    // `frame`: a Request as JSON and the inputs' contents; it has to outlive this object. `storage`: as for read_frame.
    Invocation(const Frame& frame, Suite suite, std::vector<std::byte> storage = {});

    [[nodiscard]] const std::string& name() const { return request_.call; }
    [[nodiscard]] int integer(const std::string& name) const;
    [[nodiscard]] bool is_double() const;  // of the first buffer
    [[nodiscard]] const std::vector<std::unique_ptr<Buffer>>& buffers() const { return buffers_; }
    [[nodiscard]] Buffer& buffer(const std::string& name) const;
    template <typename T>
    [[nodiscard]] T* data(const std::string& name) const {
        return reinterpret_cast<T*>(buffer(name).data());
    }

    // Calls `student` as the request's timing says; it returns a cudaError_t as int, or 0. `prepare` resets the outputs (default: poisons
    // the host arrays).
    void call(const std::function<int()>& student, const std::function<void()>& prepare = {});
    // An extra value for the suite, under "values" of the answer.
    void set(const std::string& name, nlohmann::json value) { answer_.values[name] = std::move(value); }
    // Contents of an input after the call, if they are not in the host array.
    void note_input(const Buffer& buffer, const std::byte* now);
    // Records that an output's result() holds the call's result.
    void note_output(const Buffer& buffer) { has_result_.insert(buffer.spec().name); }
    // A failure of the runner itself around the call (a failed copy), passed to the suite unchanged.
    void note_error(int status);

    // The answer and the outputs' contents.
    [[nodiscard]] Frame answer();

private:
    double timed(const std::function<int()>& student, int* status) const;

    Request request_;
    Suite suite_;
    std::vector<std::byte> results_;  // of all outputs, one after the other
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::set<std::string> has_result_;
    trace::Answer answer_;
};

// Functions that a runner can call, by name; adapters register theirs before main.
using Function = std::function<void(Invocation&)>;
std::map<std::string, Function>& functions();

struct Register {
    Register(const std::string& name, Function function) { functions().emplace(name, std::move(function)); }
};

}  // namespace lab::runner
