// A runner process as seen by the suite: sends it requests, captures its output, explains its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/grading/capped_text.h"
#include "common/grading/device_process.h"
#include "common/grading/patience.h"
#include "common/process/subprocess.h"
#include "common/runner/protocol.h"
#include "common/runner/request.h"
#include "common/sandbox/sandbox.h"
#include "common/trace/answer.h"

namespace lab::grading {

// Result of one call: an answer, or the reason why there is none, as text for a student.
struct Reply {
    std::optional<trace::Answer> answer;
    std::vector<std::byte> outputs;    // their contents, one after the other
    std::string reason;                // "your code called exit(0) during matmul_global"
    std::vector<std::string> details;  // details of the reason, a line each
    std::set<Topic> topics;            // of the reason
    std::vector<Finding> findings;     // that explain it
    Wait limit = Wait::goes_on;        // the reason is that it was exceeded
    bool never_began = false;          // the program could not be started
    bool is_graders = false;           // the reason is that the grader itself failed
    bool stopped = false;              // the reason is that stop_when() requested it
    std::string output;                // the text that the student's code printed meanwhile, shortened by CappedText
};

class Child {
public:
    // Starts the program at once; a failure shows in the first call(). `device`: that it has to run on, "emulator" or "gpu", unless it is a
    // program of the host's alone. `kernels`: PTX that replaces the program's own; "" keeps it.
    Child(std::string program, std::string device, std::string kernels = {}, std::optional<sandbox::Sandbox> sandbox = {});
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Has the program make one call, and waits for the answer within `limits`. `contents`: of the request's arrays, each by itself; an
    // output has none. What the device of an emulated program has seen is asked of the device.
    [[nodiscard]] Reply call(runner::Request request, std::vector<std::span<const std::byte>> contents, Limits limits);
    // Repeats the last call on the emulated device, without the program, with other kernels of the same names; `outputs` gets their
    // contents. `until_wrong`: for each output on the device its expected elements, then their largest right differences, as many; the
    // repetition ends with the first block after which a written element is wrong. Throws DeviceFailure where the PTX is none, or where the
    // call can't be repeated.
    [[nodiscard]] trace::Answer replay(const std::string& ptx, std::vector<std::byte>* outputs,
                                       std::vector<std::span<const std::byte>> until_wrong = {});
    // Polled about twenty times a second while waiting for an answer; true ends the process.
    void stop_when(std::function<bool()> asked) { stop_asked_ = std::move(asked); }
    // Processor time of the emulated device so far, in seconds; 0 if there is none.
    [[nodiscard]] double device_seconds() const;
    // False once a reply had no answer: start another child.
    [[nodiscard]] bool alive() const { return pid_ > 0 && !broken_; }
    // "emulator", "gpu" or "host", as reported by the runner; "" if it never answered.
    [[nodiscard]] const std::string& backend() const { return backend_; }
    // Ends the program, for this reason; it is not called any more.
    void reject(const std::string& reason);
    // Reason why it could not be started, or "".
    [[nodiscard]] const std::string& start_failure() const { return start_failure_; }

private:
    static constexpr std::size_t max_printed = std::size_t{64} << 20;  // bytes that a program may print during a call
    enum class End {
        frame,
        closed,
        failed,
        garbage,
        computes_too_long,
        sleeps_too_long,
        takes_too_much_memory,
        prints_too_much,
        device_computes_too_long,
        stopped
    };
    // The runner's reports before its answer.
    struct Told {
        std::string function;       // that it was about to call
        std::string crash;          // trace::Crash as JSON
        std::vector<double> ticks;  // milliseconds at each
    };

    void start();
    void greet();
    void replace_kernels();
    void start_device();
    [[nodiscard]] bool is_emulated() const { return backend_ == "emulator"; }
    // Has the device place the arrays; the program gets their addresses instead of the contents.
    void prepare(runner::Request* request, std::vector<std::span<const std::byte>>* contents);
    // Adds to the program's answer what the device has seen, and merges the outputs of both.
    void complete(const runner::Request& request, Reply* reply);
    // Processor time of the program for the host's code, wall-clock time for a GPU.
    [[nodiscard]] double milliseconds_now() const;
    // Times of the calls that the suite has measured, in milliseconds: each between two ticks, but for those of the warm-up. Empty where
    // the program has reported others, or spent more time between them.
    [[nodiscard]] std::vector<double> times_of(const std::vector<double>& ticks, std::size_t reported) const;
    End let_begin(const nlohmann::json& entering, Patience& patience);
    [[nodiscard]] std::string explained(const std::string& crash);
    End send(const runner::Frame& frame, std::uint64_t sequence, Patience& patience);
    End receive(runner::Frame* frame, Patience& patience);
    // Waits until the channel is ready (frame), the process has ended (closed) or a limit is exceeded.
    End wait_for_more(short channel_events, Patience& patience);
    [[nodiscard]] bool has_ended() const;
    void drain_output();
    // Receives at most `most` bytes.
    End receive_some(void* into, std::size_t most, std::size_t* received, Patience& patience);
    // One frame: the answer, or what precedes it.
    End receive_answer(Reply* reply, Told* told, Patience& patience);
    void explain(End end, const Limits& limits, const Told& told, Reply* reply);
    Ending how_it_ended(const std::string& function, const std::string& crash);
    // Whether the process still has its end of the channel open.
    [[nodiscard]] bool is_open_there() const;
    End failed(int error);
    void kill();
    std::string take_output();

    // Process of the program itself: a sandbox puts others between it and this one.
    [[nodiscard]] pid_t sender_of_greeting() const;
    // Whether the sandbox has let the program start.
    [[nodiscard]] bool has_started() const;
    [[nodiscard]] process::End end_in_sandbox(process::End end) const;

    std::string program_, wanted_device_, kernels_;
    std::optional<sandbox::Sandbox> sandbox_;
    std::function<bool()> stop_asked_;
    std::string backend_;
    std::string start_failure_;
    bool is_graders_ = false;                // the failure to start
    ino_t their_end_ = 0;                    // inode of the runner's socket
    int error_ = 0;                          // errno of the failed call
    pid_t pid_ = -1;                         // that was started
    pid_t program_pid_ = -1;                 // the program's
    std::unique_ptr<DeviceProcess> device_;  // runs if the program is emulated
    runner::Request request_;                // the present one
    int channel_ = -1;
    int output_ = -1;
    int started_ = -1;
    std::uint64_t nonce_ = 0;
    std::uint64_t sequence_ = 0;
    CappedText printed_;
    bool broken_ = false;
};

}  // namespace lab::grading
