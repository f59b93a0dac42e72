// One call of a student's function: build it, run it, get its results or the reason why there are none.
#pragma once

#include <chrono>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/diagnosis/message.h"
#include "common/findings/finding.h"
#include "common/grading/arrays.h"
#include "common/grading/student.h"
#include "common/runner/request.h"
#include "common/trace/answer.h"

namespace lab::grading {

// Result of a call. `problem`: why it can't be judged: it crashed, exited, hung, changed its input or wrote outside its arrays. Otherwise
// `status` is the returned cudaError_t, and outputs can be judged.
class Result : public trace::CallTrace {
public:
    Message problem;
    int status = 0;
    std::string status_text;  // "cudaErrorInvalidValue: invalid argument"
    std::vector<double> times_ms;
    nlohmann::json values;                              // further values from the lab's adapter
    std::map<std::string, trace::Elsewhere> elsewhere;  // outputs with elements that no kernel stored

    template <typename T>
    [[nodiscard]] std::vector<T> output(const std::string& name) const {
        const Range& range = outputs_.at(name);
        std::vector<T> values(range.bytes / sizeof(T));
        if (range.bytes != 0) {
            std::memcpy(values.data(), raw_.data() + range.at, range.bytes);
        }
        return values;
    }

    // Whether an output equals the expected values, bit by bit.
    template <typename T>
    [[nodiscard]] bool holds(const std::string& name, const std::vector<T>& values) const {
        const Range& range = outputs_.at(name);
        return range.bytes == values.size() * sizeof(T) && std::memcmp(raw_.data() + range.at, values.data(), range.bytes) == 0;
    }

    // Everything but the outputs, and a result made from that; nothing if it can't be one.
    [[nodiscard]] nlohmann::json modelled() const;
    [[nodiscard]] static std::optional<Result> modelled(const nlohmann::json& kept);

private:
    friend class Call;
    struct Range {
        std::size_t at = 0, bytes = 0;
    };
    std::vector<std::byte> raw_;  // as received, one after the other
    std::map<std::string, Range> outputs_;
};

class Call {
public:
    explicit Call(std::string function) { request_.call = std::move(function); }
    [[nodiscard]] const std::string& function() const { return request_.call; }

    Call& integer(const std::string& name, int value) {
        request_.integers[name] = value;
        return *this;
    }
    // The values are not copied: they have to stay in place, unchanged, until run() returns.
    template <typename T>
    Call& input(const std::string& name, const std::vector<T>& values) {
        return input_repeated(name, values, values.size());
    }
    // An input of `count` elements that repeats `values` (whole pages of them) without using that much memory.
    template <typename T>
    Call& input_repeated(const std::string& name, const std::vector<T>& values, std::size_t count) {
        runner::BufferSpec spec{name, type_name<T>(), count, false, 0, count == values.size() ? 0 : values.size()};
        return add(std::move(spec), values.data(), values.size() * sizeof(T));
    }
    template <typename T>
    Call& input(const std::string& name, std::vector<T>&& values) = delete;
    template <typename T>
    Call& input_repeated(const std::string& name, std::vector<T>&& values, std::size_t count) = delete;
    template <typename T>
    Call& output(const std::string& name, std::size_t count, Random& random) {
        return add(runner::BufferSpec{name, type_name<T>(), count, true, poison<T>(random), 0}, nullptr, 0);
    }
    // The function takes host arrays instead of arrays in device memory.
    Call& host_arrays() {
        has_host_arrays_ = true;
        for (runner::BufferSpec& spec : request_.buffers) spec.on_device = false;
        return *this;
    }
    // Limit on the host's processor time, which excludes the emulator's kernels.
    Call& limit(std::chrono::milliseconds limit) {
        limits_.processor = limit;
        return *this;
    }
    // Limit on the time in which the student's code only waits.
    Call& limit_sleep(std::chrono::milliseconds limit) {
        limits_.asleep = limit;
        return *this;
    }
    Call& timing(const runner::Timing& timing) {
        request_.timing = timing;
        return *this;
    }
    // Judges the call's time, which is modelled for the suite's --device. All else is judged on the default device, so that verdicts don't
    // depend on the device that a class chooses for speed. Emulator only, like the next.
    Call& timed() {
        is_timed_ = true;
        return *this;
    }
    // Sets the device whose times and memory rules are modelled, whatever the suite's --device.
    Call& device(const std::string& id) {
        device_ = id;
        return *this;
    }
    runner::BackendOptions& backend() { return request_.backend; }
    [[nodiscard]] const std::map<std::string, int>& integers() const { return request_.integers; }
    [[nodiscard]] const std::vector<runner::BufferSpec>& arrays() const { return request_.buffers; }
    [[nodiscard]] std::span<const std::byte> content(std::size_t array) const { return contents_.at(array); }
    [[nodiscard]] std::uint64_t poison_of(const std::string& name) const;

    // The request as text, without the contents of inputs and outputs.
    [[nodiscard]] std::string subject();

    [[nodiscard]] Result run(Program& program);
    // The same call as the first one of a program of its own, with the student's code.
    [[nodiscard]] Result run_in_new_program() const;

private:
    void choose_device();
    Call& add(runner::BufferSpec spec, const void* content, std::size_t bytes);
    void save() const;
    // Whether the runner can take another call.
    bool take_answer(trace::Answer answer, std::vector<std::byte> raw, Result* result) const;
    void take(trace::Answer answer, std::vector<std::byte> raw, Result* result) const;

    runner::Request request_;
    std::vector<std::span<const std::byte>> contents_;  // one for each array, empty for an output
    bool has_host_arrays_ = false;
    std::string device_;  // "": none of its own
    bool is_timed_ = false;
    Limits limits_;
};

}  // namespace lab::grading
