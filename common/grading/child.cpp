#include "common/grading/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "common/runner/request.h"

namespace lab::grading {
namespace {

[[noreturn]] void become(const std::string& program, const std::string& kernels, int channel, int output, int times) {
    ::setpgid(0, 0);  // so that the runner and all its children can be stopped together
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    // These variables are for `lab run`; a suite sends its own settings with each request.
    for (const char* const name : {"LAB_DEVICE", "LAB_MAX_INSTRUCTIONS", "LAB_LINES", "LAB_COLD", "LAB_MOST_BLOCKS", "LAB_BLOCKS",
                                   "LAB_ORDER", "LAB_CHECK", "LAB_JSON", "LAB_REPORT"}) {
        ::unsetenv(name);
    }
    ::fcntl(channel, F_SETFD, 0);
    ::fcntl(times, F_SETFD, 0);
    const std::string number = std::to_string(channel);
    const std::string times_number = std::to_string(times);
    std::vector<const char*> arguments{program.c_str()};
    if (!kernels.empty()) arguments.insert(arguments.end(), {"--kernels", kernels.c_str()});
    arguments.insert(arguments.end(), {"--channel", number.c_str(), times_number.c_str(), nullptr});
    ::execv(program.c_str(), const_cast<char**>(arguments.data()));
    ::_exit(127);
}

std::string over_limit(bool computed, const Limits& limits, const std::string& function) {
    const auto seconds = [](std::chrono::milliseconds limit) { return std::chrono::duration<double>(limit).count(); };
    return computed ? fmt::format("still running after {:.3g} s of processor time {}", seconds(limits.processor), during(function))
                    : fmt::format("still waiting after {:.3g} s {}", seconds(limits.asleep), during(function));
}

}  // namespace

Child::Child(std::string program, std::string kernels) : program_(std::move(program)), kernels_(std::move(kernels)) {
    start();
    if (start_failure_.empty()) {
        greet();
    }
}

Child::~Child() {
    kill();
    if (channel_ >= 0) {
        ::close(channel_);
    }
    if (output_ >= 0) {
        ::close(output_);
    }
    runner::unshare(device_time_);
}

void Child::start() {
    std::array<int, 2> sockets{};
    std::array<int, 2> pipe{};
    int times = -1;
    device_time_ = runner::share_device_time(&times);
    const bool has_channel = device_time_ != nullptr && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0;
    if (!has_channel || ::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        start_failure_ = fmt::format("can't make a channel to {}: {}", program_, std::strerror(errno));
        is_graders_ = true;
        if (has_channel) {
            ::close(sockets[0]);
            ::close(sockets[1]);
        }
        if (times >= 0) {
            ::close(times);
        }
        return;
    }
    pid_ = ::fork();
    if (pid_ == 0) {
        become(program_, kernels_, sockets[1], pipe[1], times);
    }
    const int error = errno;
    struct stat found {};
    their_end_ = ::fstat(sockets[1], &found) == 0 ? found.st_ino : 0;
    ::close(sockets[1]);
    ::close(pipe[1]);
    ::close(times);
    channel_ = sockets[0];
    output_ = pipe[0];
    if (pid_ < 0) {
        start_failure_ = fmt::format("can't start {}: {}", program_, std::strerror(error));
    } else if (::fcntl(channel_, F_SETFL, O_NONBLOCK) != 0 || ::fcntl(output_, F_SETFL, O_NONBLOCK) != 0) {
        start_failure_ = fmt::format("can't make a channel to {}: {}", program_, std::strerror(errno));
    }
    is_graders_ = !start_failure_.empty();
    std::random_device device;
    nonce_ = std::uint64_t{device()} << 32 | device();
}

void Child::greet() {
    const Limits limits;
    Patience patience(pid_, device_time_, limits);
    runner::Frame hello;
    End end = send(hello, 0, patience);
    if (end == End::frame) {
        end = receive(&hello, patience);
    }
    if (end == End::frame && hello.kind == runner::FrameKind::hello) {
        const auto json = nlohmann::json::parse(hello.json, nullptr, false);
        if (json.is_object()) {
            backend_ = json.value("backend", "");
        }
        return;
    }
    broken_ = true;
    is_graders_ = end == End::failed;
    if (is_graders_) {
        start_failure_ = fmt::format("the channel to {} failed: {}", program_, std::strerror(error_));
    } else {
        start_failure_ = end == End::computes_too_long || end == End::sleeps_too_long
                             ? over_limit(end == End::computes_too_long, limits, "")
                             : how_it_ended("", "").reason;
    }
    if (const auto printed = take_output(); !printed.empty()) {
        start_failure_ += "\nit printed: " + printed;
    }
    kill();
}

Reply Child::ask(const runner::Frame& request, Limits limits) {
    Reply reply;
    if (!start_failure_.empty()) {
        reply.reason = start_failure_;
        reply.never_began = true;
        reply.is_graders = is_graders_;
        return reply;
    }
    Patience patience(pid_, device_time_, limits);
    ++sequence_;
    std::string function;
    std::string crash;
    End end = send(request, sequence_, patience);
    while (end == End::frame) {
        runner::Frame frame;
        end = receive(&frame, patience);
        if (end != End::frame) {
            break;
        }
        if (frame.sequence != sequence_) {
            end = End::garbage;
            break;
        }
        if (frame.kind == runner::FrameKind::answer) {
            drain_output();
            reply.output = take_output();
            reply.answer = std::move(frame);
            return reply;
        }
        const auto json = runner::parse_json(frame.json);
        if (frame.kind == runner::FrameKind::entering && json.is_object()) {
            function = json.value("function", "");
        }
        if (frame.kind == runner::FrameKind::crash) {
            crash = frame.json;
        }
    }
    broken_ = true;
    switch (end) {
        case End::computes_too_long:
        case End::sleeps_too_long:
            reply.hung = true;
            reply.computed = end == End::computes_too_long;
            reply.reason = over_limit(reply.computed, limits, function);
            break;
        case End::garbage:
            reply.reason = fmt::format("what came back {} is no valid answer: does your code write to descriptors that it did not open?",
                                       during(function));
            break;
        case End::failed:
            reply.is_graders = true;
            reply.reason = fmt::format("the channel to {} failed {}: {}", program_, during(function), std::strerror(error_));
            break;
        case End::stopped:
            reply.stopped = true;
            reply.reason = fmt::format("interrupted {}", during(function));
            break;
        default: {
            Ending ending = how_it_ended(function, crash);
            reply.reason = std::move(ending.reason);
            reply.details = std::move(ending.details);
            reply.topics = std::move(ending.topics);
            reply.findings = std::move(ending.findings);
        }
    }
    kill();
    drain_output();
    reply.output = take_output();
    return reply;
}

Ending Child::how_it_ended(const std::string& function, const std::string& crash) {
    int status = 0;
    // A process that closes its socket by dying ends within this time; one that lives on closed it itself.
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    pid_t ended = 0;
    while ((ended = ::waitpid(pid_, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    drain_output();
    if (ended != pid_) {
        return {fmt::format("the grader's channel was closed {}: your code closes descriptors that it did not open", during(function)),
                {},
                {},
                {}};
    }
    ::kill(-pid_, SIGKILL);  // and its remaining children
    pid_ = -1;
    if (WIFEXITED(status)) {
        if (WEXITSTATUS(status) == 127 && function.empty()) {
            return {fmt::format("{} can't be started", program_), {}, {}, {}};
        }
        return {fmt::format("your code called exit({}) {}", WEXITSTATUS(status), during(function)), {}, {}, {}};
    }
    return ended_by(WTERMSIG(status), function, crash);
}

void Child::kill() {
    if (pid_ <= 0) {
        return;
    }
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
}

}  // namespace lab::grading
