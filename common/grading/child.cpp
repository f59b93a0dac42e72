#include "common/grading/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <thread>

#include "common/runner/request.h"

namespace lab::grading {
namespace {

[[noreturn]] void become(const std::string& program, const std::string& kernels, int channel, int output, int times) {
    ::setpgid(0, 0);  // so that all that it starts can be stopped with it
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    // These settings of the emulator are for `lab run`; a suite sends its own with each request.
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
    return computed ? fmt::format("still running after {:.3g} s of processor time, without an end or far too slow, {}",
                                  seconds(limits.processor), during(function))
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

Child::End Child::send(const runner::Frame& frame, std::uint64_t sequence, Patience& patience) {
    auto header = runner::header_of(frame, nonce_);
    header.sequence = sequence;
    std::vector<std::span<const std::byte>> parts{std::as_bytes(std::span(&header, 1)), std::as_bytes(std::span(frame.json)), frame.raw};
    parts.insert(parts.end(), frame.views.begin(), frame.views.end());
    for (const auto& part : parts) {
        std::size_t done = 0;
        while (done < part.size()) {
            const ssize_t sent = ::send(channel_, part.data() + done, part.size() - done, MSG_NOSIGNAL);
            if (sent > 0) {
                done += static_cast<std::size_t>(sent);
            } else if (errno != EAGAIN && errno != EINTR) {
                return failed(errno);
            } else if (const End end = wait_for_more(POLLOUT, patience); end != End::frame) {
                return end;
            }
        }
    }
    return End::frame;
}

// Waits until the channel is ready; what the student's code prints is taken in meanwhile, so that it never blocks on it.
// That the process has ended is asked for as well: what it left behind may hold its end of the channel open.
Child::End Child::wait_for_more(short channel_events, Patience& patience) {
    for (;;) {
        if (const Wait wait = patience.look(); wait != Wait::goes_on) {
            return wait == Wait::computes_too_long ? End::computes_too_long : End::sleeps_too_long;
        }
        if (stop_asked_ && stop_asked_()) {
            return End::stopped;
        }
        std::array<pollfd, 2> watched{{{channel_, channel_events, 0}, {output_, POLLIN, 0}}};
        const int ready = ::poll(watched.data(), output_ >= 0 ? 2 : 1, static_cast<int>(Patience::between_looks.count()));
        if (ready < 0 && errno != EINTR) {
            return failed(errno);
        }
        if (ready > 0 && watched[1].revents != 0) {
            drain_output();
        }
        if (ready > 0 && watched[0].revents != 0) {
            return End::frame;
        }
        if (ready == 0 && has_ended()) {
            return End::closed;
        }
    }
}

bool Child::is_open_there() const {
    std::error_code error;
    std::filesystem::directory_iterator descriptor(fmt::format("/proc/{}/fd", pid_), error);
    for (; !error && descriptor != std::filesystem::directory_iterator(); descriptor.increment(error)) {
        struct stat found {};
        if (::stat(descriptor->path().c_str(), &found) == 0 && S_ISSOCK(found.st_mode) && found.st_ino == their_end_) {
            return true;
        }
    }
    return false;
}

// One of our own calls failed: because the process closed its end, or for a reason of this machine's.
Child::End Child::failed(int error) {
    error_ = error;
    return is_open_there() ? End::failed : End::closed;
}

bool Child::has_ended() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == pid_;
}

void Child::drain_output() {
    std::array<char, 16384> piece{};
    while (output_ >= 0) {
        const ssize_t got = ::read(output_, piece.data(), piece.size());
        if (got <= 0) {
            if (got == 0) {
                ::close(output_);
                output_ = -1;
            }
            return;
        }
        const auto bytes = static_cast<std::size_t>(got);
        printed_.add({piece.data(), bytes});
        if (bytes < piece.size()) {
            return;
        }
    }
}

std::string Child::take_output() {
    std::string text = printed_.text();
    printed_ = {};
    return text;
}

Child::End Child::receive_some(void* into, std::size_t most, std::size_t* received, Patience& patience) {
    for (;;) {
        const ssize_t got = ::recv(channel_, into, most, 0);
        if (got > 0) {
            *received = static_cast<std::size_t>(got);
            return End::frame;
        }
        if (got == 0) {
            return End::closed;
        }
        if (errno != EAGAIN && errno != EINTR) {
            return failed(errno);
        }
        if (const End end = wait_for_more(POLLIN, patience); end != End::frame) {
            return end;
        }
    }
}

// Little more than what has arrived takes memory, whatever sizes the header claims.
Child::End Child::receive(runner::Frame* frame, Patience& patience) {
    const auto fill = [&](std::vector<std::byte>* into, std::size_t bytes) {
        constexpr std::size_t step = std::size_t{1} << 20;
        std::size_t filled = 0;
        while (filled < bytes) {
            into->resize(std::min(bytes, (filled / step + 1) * step));
            std::size_t received = 0;
            if (const End end = receive_some(into->data() + filled, into->size() - filled, &received, patience); end != End::frame) {
                return end;
            }
            filled += received;
        }
        return End::frame;
    };
    runner::FrameHeader header;
    std::vector<std::byte> bytes;
    if (const End end = fill(&bytes, sizeof header); end != End::frame) {
        return end;
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    if (!runner::plausible(header) || header.nonce != nonce_) {
        return End::garbage;
    }
    *frame = {};
    frame->kind = header.kind;
    frame->sequence = header.sequence;
    bytes.clear();
    if (const End end = fill(&bytes, header.json_bytes); end != End::frame) {
        return end;
    }
    frame->json.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    frame->raw.reserve(header.raw_bytes);
    if (const End end = fill(&frame->raw, header.raw_bytes); end != End::frame) {
        return end;
    }
    return runner::header_of(*frame, nonce_).checksum == header.checksum ? End::frame : End::garbage;
}

Ending Child::how_it_ended(const std::string& function, const std::string& crash) {
    int status = 0;
    // A process that closes its socket by dying is about to be gone; one that lives on closed it itself.
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
    ::kill(-pid_, SIGKILL);  // whatever it left behind
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
