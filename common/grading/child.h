// A runner process, seen from the suite: asked by frames, its output captured, its end explained.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/grading/capped_text.h"
#include "common/grading/ending.h"
#include "common/grading/patience.h"
#include "common/runner/protocol.h"

namespace lab::grading {

// What came of one request: an answer, or a reason why there is none that a student understands.
struct Reply {
    std::optional<runner::Frame> answer;
    std::string reason;                // "your code called exit(0) during matmul_global"
    std::vector<std::string> details;  // what is known beside the reason, a line each
    std::set<Topic> topics;            // of the reason
    std::vector<Finding> findings;     // that explain it
    bool hung = false;                 // the reason is that a limit of time was passed
    bool computed = false;             // it was that on processor time
    bool never_began = false;          // the program could not be started
    bool is_graders = false;           // the reason is that the grader could not do its own part
    bool stopped = false;              // the reason is that stop_when() said so
    std::string output;                // the text that the student's code printed meanwhile, shortened by CappedText
};

class Child {
public:
    // Starts the program at once; what goes wrong shows in the first ask(). `kernels`: PTX that it runs in place of its own; "" for its
    // own.
    explicit Child(std::string program, std::string kernels = {});
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Sends one request, with the next sequence number, and waits for the whole answer within `limits`.
    [[nodiscard]] Reply ask(const runner::Frame& request, Limits limits);
    // Asked about twenty times a second while an answer is waited for; once it says yes, the process is ended.
    void stop_when(std::function<bool()> asked) { stop_asked_ = std::move(asked); }
    // False once a reply had no answer: start another child.
    [[nodiscard]] bool alive() const { return pid_ > 0 && !broken_; }
    // "emulator", "gpu" or "host", as the runner says; "" if it never spoke.
    [[nodiscard]] const std::string& backend() const { return backend_; }
    // Why it could not be started, or "".
    [[nodiscard]] const std::string& start_failure() const { return start_failure_; }

private:
    enum class End { frame, closed, failed, garbage, computes_too_long, sleeps_too_long, stopped };
    // What the runner told before its answer.
    struct Told {
        std::string function;  // that it was about to call
        std::string crash;
    };

    void start();
    void greet();
    End send(const runner::Frame& frame, std::uint64_t sequence, Patience& patience);
    End receive(runner::Frame* frame, Patience& patience);
    // Until the channel is ready (frame), the process has ended (closed) or it has passed a limit.
    End wait_for_more(short channel_events, Patience& patience);
    [[nodiscard]] bool has_ended() const;
    void drain_output();
    // What arrives next, at most `most` bytes of it.
    End receive_some(void* into, std::size_t most, std::size_t* received, Patience& patience);
    // One frame: the answer, or what precedes it.
    End receive_answer(Reply* reply, Told* told, Patience& patience);
    void explain(End end, const Limits& limits, const Told& told, Reply* reply);
    Ending how_it_ended(const std::string& function, const std::string& crash);
    // Whether the process still has its end of the channel.
    [[nodiscard]] bool is_open_there() const;
    End failed(int error);
    void kill();
    std::string take_output();

    std::string program_, kernels_;
    std::function<bool()> stop_asked_;
    std::string backend_;
    std::string start_failure_;
    bool is_graders_ = false;  // the failure to start
    ino_t their_end_ = 0;      // inode of the runner's socket
    int error_ = 0;            // errno of the failed call
    runner::DeviceTime* device_time_ = nullptr;
    pid_t pid_ = -1;
    int channel_ = -1;
    int output_ = -1;
    std::uint64_t nonce_ = 0;
    std::uint64_t sequence_ = 0;
    CappedText printed_;
    bool broken_ = false;
};

}  // namespace lab::grading
