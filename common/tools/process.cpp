#include "common/tools/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace lab::tools {
namespace {

std::atomic<bool> interrupt_seen{false};

void note_interrupt(int) { interrupt_seen = true; }

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));  // execvp's signature lacks const
    pointers.push_back(nullptr);
    return pointers;
}

// In the child, after fork. Never returns.
[[noreturn]] void become(const Command& command, char* const* words) {
    for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
    if (!command.folder.empty() && chdir(command.folder.c_str()) != 0) {
        dprintf(STDERR_FILENO, "lab: can't enter %s: %s\n", command.folder.c_str(), std::strerror(errno));
        _exit(127);
    }
    signal(SIGINT, SIG_DFL);
    execvp(words[0], words);
    dprintf(STDERR_FILENO, "lab: can't start %s: %s\n", words[0], std::strerror(errno));
    _exit(127);
}

// In the child, after fork: makes it a group leader, so that it can be stopped with all its children.
void become_leader() {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
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
            kill(-group_, SIGTERM);
        } else if (stopped_ && Clock::now() > deadline_) {
            kill(-group_, SIGKILL);
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
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    Ending ending;
    if (WIFSIGNALED(state)) {
        ending.signal = WTERMSIG(state);
        ending.status = 128 + ending.signal;
    } else {
        ending.status = WEXITSTATUS(state);
    }
    return ending;
}

Ending not_started(const char* call) {
    Ending ending;
    ending.status = 127;
    ending.output = std::string("lab: ") + call + ": " + std::strerror(errno);
    ending.failed = true;
    return ending;
}

}  // namespace

Ending run(const Command& command, const LineSeen& line_seen, const StopAsked& stop_asked) {
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return not_started("pipe");
    const std::vector<char*> words = pointers_to(command.words);
    const pid_t child = fork();
    if (child < 0) {
        Ending ending = not_started("fork");
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        return ending;
    }
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        dup2(pipe_ends[1], STDERR_FILENO);
        if (stop_asked) become_leader();
        become(command, words.data());
    }
    if (stop_asked) setpgid(child, child);  // by both, the child and us, whoever is first
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
    const std::vector<char*> words = pointers_to(command.words);
    const pid_t child = fork();
    if (child < 0) return not_started("fork");
    if (child == 0) become(command, words.data());
    return wait_for(child);
}

void keep_going_on_interrupt() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return interrupt_seen; }

}  // namespace lab::tools
