#include "common/tools/process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "common/process/subprocess.h"

namespace lab::tools {
namespace {

std::atomic<bool> interrupt_seen{false};

void note_interrupt(int) { interrupt_seen = true; }

process::Start start_of(const Command& command) {
    process::Start start;
    start.words = command.words;
    start.folder = command.folder;
    start.environment = command.environment;
    return start;
}

// Stops a process group on request, with SIGTERM first: Ninja then stops its compilers and removes partial files.
class Stopper {
public:
    using Clock = std::chrono::steady_clock;
    Stopper(pid_t group, const StopAsked& asked) : group_(group), asked_(asked) {}
    // False once there is nothing to wait for: other holders of the output are not our children.
    [[nodiscard]] bool look() {
        if (!asked_) return true;
        if (!stopped_ && asked_()) {
            stopped_ = true;
            deadline_ = Clock::now() + std::chrono::seconds(2);
            process::signal_group(group_, SIGTERM);
        } else if (stopped_ && Clock::now() > deadline_) {
            process::signal_group(group_, SIGKILL);
            return false;
        }
        return true;
    }
    [[nodiscard]] int patience_ms() const { return asked_ ? 50 : -1; }
    [[nodiscard]] bool stopped() const { return stopped_; }

private:
    pid_t group_;
    const StopAsked& asked_;
    bool stopped_ = false;
    Clock::time_point deadline_;
};

Ending wait_for(pid_t child) {
    const process::End end = process::wait_for(child);
    return {.status = end.status, .signal = end.signal};
}

Ending failed_at(const char* call) {
    return {.status = process::not_started, .output = std::string("lab: ") + call + ": " + std::strerror(errno), .failed = true};
}

}  // namespace

Ending run(const Command& command, const LineSeen& line_seen, const StopAsked& stop_asked) {
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return failed_at("pipe");
    process::Start start = start_of(command);
    start.output = pipe_ends[1];
    start.has_own_group = start.ends_with_this = static_cast<bool>(stop_asked);
    const pid_t child = process::start(start);
    if (child < 0) {
        Ending ending = failed_at("fork");
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        return ending;
    }
    close(pipe_ends[1]);
    Stopper stopper(child, stop_asked);
    std::string output;
    std::size_t line_start = 0;
    std::array<char, 65536> buffer{};
    std::string trouble;
    while (stopper.look()) {
        pollfd ready{pipe_ends[0], POLLIN, 0};
        if (poll(&ready, 1, stopper.patience_ms()) <= 0) continue;
        const ssize_t got = read(pipe_ends[0], buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) trouble = std::string("lab: read: ") + std::strerror(errno) + "\n";
        if (got <= 0) break;
        output.append(buffer.data(), static_cast<std::size_t>(got));
        for (std::size_t end = output.find('\n', line_start); end != std::string::npos; end = output.find('\n', line_start)) {
            if (line_seen) line_seen(output.substr(line_start, end - line_start));
            line_start = end + 1;
        }
    }
    close(pipe_ends[0]);
    Ending ending = wait_for(child);
    ending.output = output + trouble;
    ending.failed = !trouble.empty();
    ending.stopped = stopper.stopped();
    return ending;
}

Ending run_in_terminal(const Command& command) {
    const pid_t child = process::start(start_of(command));
    return child < 0 ? failed_at("fork") : wait_for(child);
}

void keep_going_on_interrupt() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return interrupt_seen; }

}  // namespace lab::tools
