#include "common/grading/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "common/emulator/options.h"
#include "common/process/subprocess.h"
#include "common/runner/request.h"

namespace lab::grading {
namespace {

// How a runner is started: apart, so that all that it starts can be stopped with it.
process::Start start_of(const std::string& program, const std::string& kernels, int channel, int output) {
    process::Start start;
    start.words = {program};
    if (!kernels.empty()) start.words.insert(start.words.end(), {"--kernels", kernels});
    start.words.insert(start.words.end(), {"--channel", std::to_string(channel)});
    start.output = output;
    start.kept = {channel};
    start.has_own_group = true;
    // These settings of the emulator are for `lab run`; a suite sends its own with each request.
    start.unset = {"LAB_JSON", "LAB_REPORT"};
    for (const emulator::OptionRow& row : emulator::option_rows()) {
        if (row.name != std::string("threads")) start.unset.push_back(row.environment());
    }
    return start;
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
}

void Child::start() {
    std::array<int, 2> sockets{};
    std::array<int, 2> pipe{};
    const bool has_channel = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0;
    if (!has_channel || ::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        start_failure_ = fmt::format("can't make a channel to {}: {}", program_, std::strerror(errno));
        is_graders_ = true;
        if (has_channel) {
            ::close(sockets[0]);
            ::close(sockets[1]);
        }
        return;
    }
    pid_ = process::start(start_of(program_, kernels_, sockets[1], pipe[1]));
    const int error = errno;
    struct stat found {};
    their_end_ = ::fstat(sockets[1], &found) == 0 ? found.st_ino : 0;
    ::close(sockets[1]);
    ::close(pipe[1]);
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
    Patience patience(pid_, device_, limits);
    runner::Frame hello;
    End end = send(hello, 0, patience);
    if (end == End::frame) {
        end = receive(&hello, patience);
    }
    if (end == End::frame && hello.kind == runner::FrameKind::hello) {
        const auto json = nlohmann::json::parse(hello.json, nullptr, false);
        if (json.is_object()) {
            backend_ = json.value("backend", "");
            device_ = json.value("device", 0);
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
    Patience patience(pid_, device_, limits);
    ++sequence_;
    Told told;
    End end = send(request, sequence_, patience);
    while (end == End::frame && !reply.answer) {
        end = receive_answer(&reply, &told, patience);
    }
    if (reply.answer) return reply;
    broken_ = true;
    explain(end, limits, told, &reply);
    kill();
    drain_output();
    reply.output = take_output();
    return reply;
}

Child::End Child::receive_answer(Reply* reply, Told* told, Patience& patience) {
    runner::Frame frame;
    const End end = receive(&frame, patience);
    if (end != End::frame) return end;
    if (frame.sequence != sequence_) return End::garbage;
    if (frame.kind == runner::FrameKind::answer) {
        drain_output();
        reply->output = take_output();
        reply->answer = std::move(frame);
        return end;
    }
    const auto json = runner::parse_json(frame.json);
    if (frame.kind == runner::FrameKind::entering && json.is_object()) {
        told->function = json.value("function", "");
    }
    if (frame.kind == runner::FrameKind::crash) {
        told->crash = frame.json;
    }
    return end;
}

void Child::explain(End end, const Limits& limits, const Told& told, Reply* reply) {
    switch (end) {
        case End::computes_too_long:
        case End::sleeps_too_long:
            reply->hung = true;
            reply->computed = end == End::computes_too_long;
            reply->reason = over_limit(reply->computed, limits, told.function);
            break;
        case End::garbage:
            reply->reason = fmt::format("what came back {} is no valid answer: does your code write to descriptors that it did not open?",
                                        during(told.function));
            break;
        case End::failed:
            reply->is_graders = true;
            reply->reason = fmt::format("the channel to {} failed {}: {}", program_, during(told.function), std::strerror(error_));
            break;
        case End::stopped:
            reply->stopped = true;
            reply->reason = fmt::format("interrupted {}", during(told.function));
            break;
        default: {
            Ending ending = how_it_ended(told.function, told.crash);
            reply->reason = std::move(ending.reason);
            reply->details = std::move(ending.details);
            reply->topics = std::move(ending.topics);
            reply->findings = std::move(ending.findings);
        }
    }
}

Ending Child::how_it_ended(const std::string& function, const std::string& crash) {
    // A process that closes its socket by dying is about to be gone; one that lives on closed it itself.
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    std::optional<process::End> ended;
    while (!(ended = process::end_of(pid_)) && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    drain_output();
    if (!ended) {
        return {fmt::format("the grader's channel was closed {}: your code closes descriptors that it did not open", during(function)),
                {},
                {},
                {}};
    }
    process::signal_group(pid_, SIGKILL);  // whatever it left behind
    pid_ = -1;
    if (ended->signal != 0) return ended_by(ended->signal, function, crash);
    if (ended->status == process::not_started && function.empty()) return {fmt::format("{} can't be started", program_), {}, {}, {}};
    return {fmt::format("your code called exit({}) {}", ended->status, during(function)), {}, {}, {}};
}

void Child::kill() {
    if (pid_ <= 0) {
        return;
    }
    process::signal_group(pid_, SIGKILL);
    (void)process::wait_for(pid_);
    pid_ = -1;
}

}  // namespace lab::grading
