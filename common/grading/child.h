// A runner process as seen by the suite: sends it requests, captures its output, explains its end.
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

// Result of one request: an answer, or the reason why there is none, as text for a student.
struct Reply {
    std::optional<runner::Frame> answer;
    std::string reason;                // "your code called exit(0) during matmul_global"
    std::vector<std::string> details;  // details of the reason, a line each
    std::set<Topic> topics;            // of the reason
    std::vector<Finding> findings;     // that explain it
    bool hung = false;                 // the reason is an exceeded time limit
    bool computed = false;             // it was the limit on processor time
    bool never_began = false;          // the program could not be started
    bool is_graders = false;           // the reason is that the grader itself failed
    bool stopped = false;              // the reason is that stop_when() requested it
    std::string output;                // the text that the student's code printed meanwhile, shortened by CappedText
};

class Child {
public:
    // Starts the program at once; a failure shows in the first ask(). `kernels`: PTX that replaces the program's own; "" keeps it.
    explicit Child(std::string program, std::string kernels = {});
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Sends one request, with the next sequence number, and waits for the whole answer within `limits`.
    [[nodiscard]] Reply ask(const runner::Frame& request, Limits limits);
    // Polled about twenty times a second while waiting for an answer; true ends the process.
    void stop_when(std::function<bool()> asked) { stop_asked_ = std::move(asked); }
    // False once a reply had no answer: start another child.
    [[nodiscard]] bool alive() const { return pid_ > 0 && !broken_; }
    // "emulator", "gpu" or "host", as reported by the runner; "" if it never answered.
    [[nodiscard]] const std::string& backend() const { return backend_; }
    // Reason why it could not be started, or "".
    [[nodiscard]] const std::string& start_failure() const { return start_failure_; }

private:
    enum class End { frame, closed, failed, garbage, computes_too_long, sleeps_too_long, stopped };
    // The runner's reports before its answer.
    struct Told {
        std::string function;  // that it was about to call
        std::string crash;
    };

    void start();
    void greet();
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

    std::string program_, kernels_;
    std::function<bool()> stop_asked_;
    std::string backend_;
    std::string start_failure_;
    bool is_graders_ = false;  // the failure to start
    ino_t their_end_ = 0;      // inode of the runner's socket
    int error_ = 0;            // errno of the failed call
    pid_t pid_ = -1;
    pid_t device_ = 0;  // the process that emulates its device; 0 for none
    int channel_ = -1;
    int output_ = -1;
    std::uint64_t nonce_ = 0;
    std::uint64_t sequence_ = 0;
    CappedText printed_;
    bool broken_ = false;
};

}  // namespace lab::grading
