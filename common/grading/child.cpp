#include "common/grading/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <thread>

#include "common/emulator/options.h"
#include "common/process/installed.h"
#include "common/process/subprocess.h"
#include "common/runner/processor_time.h"
#include "common/runner/request.h"
#include "common/trace/json.h"

namespace lab::grading {
namespace {

// How a runner is started: apart, so that all that it starts can be stopped with it.
process::Start start_of(const std::string& program, const std::optional<sandbox::Sandbox>& sandbox, bool has_gpu, int channel, int output,
                        int device, int started) {
    process::Start start;
    start.words = {program, "--channel", std::to_string(channel)};
    if (sandbox) {
        sandbox::Reach reach{{std::filesystem::absolute(program)}, {}, {channel, device}, started, "/", has_gpu};
        // A bundle has libraries that a system may lack, beside its programs.
        const std::filesystem::path libraries = process::parent_of(process::parent_of(process::own_path())) + "/lib";
        if (std::filesystem::is_directory(libraries)) reach.readable.push_back(libraries);
        start.words = sandbox->run(reach, start.words);
    }
    start.output = output;
    start.kept = {channel, device};
    if (started >= 0) start.kept.push_back(started);
    start.has_own_group = true;
    start.unset = emulator::variables_of_lab_run();
    start.environment = {{"LAB_DEVICE_SOCKET", std::to_string(device)}};
    return start;
}

std::string over_limit(bool computed, const Limits& limits, const std::string& function) {
    const auto seconds = [](std::chrono::milliseconds limit) { return std::chrono::duration<double>(limit).count(); };
    return computed ? fmt::format("still running after {:.3g} s of processor time {}", seconds(limits.processor), during(function))
                    : fmt::format("still waiting after {:.3g} s {}", seconds(limits.asleep), during(function));
}

}  // namespace

Child::Child(std::string program, std::string device, std::string kernels, std::optional<sandbox::Sandbox> sandbox)
    : program_(std::move(program)), wanted_device_(std::move(device)), kernels_(std::move(kernels)), sandbox_(std::move(sandbox)) {
    start();
    if (start_failure_.empty()) greet();
    if (start_failure_.empty() && !kernels_.empty()) replace_kernels();
}

Child::~Child() {
    kill();
    if (channel_ >= 0) {
        ::close(channel_);
    }
    if (output_ >= 0) {
        ::close(output_);
    }
    if (started_ >= 0) ::close(started_);
}

void Child::start() {
    std::array<int, 2> sockets{};
    std::array<int, 2> pipe{};
    const bool has_channel = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0;
    const int tells_sender = 1;
    if (has_channel) ::setsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &tells_sender, sizeof tells_sender);
    if (!has_channel || ::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        start_failure_ = fmt::format("can't make a channel to {}: {}", program_, std::strerror(errno));
        is_graders_ = true;
        if (has_channel) {
            ::close(sockets[0]);
            ::close(sockets[1]);
        }
        return;
    }
    try {
        device_ = std::make_unique<DeviceProcess>();
    } catch (const std::system_error& error) {
        start_failure_ = error.what();
        is_graders_ = true;
    }
    std::array<int, 2> started{-1, -1};
    if (sandbox_ && ::pipe2(started.data(), O_CLOEXEC) != 0) start_failure_ = std::strerror(errno);
    if (device_)
        pid_ =
            process::start(start_of(program_, sandbox_, wanted_device_ == "gpu", sockets[1], pipe[1], device_->programs_end(), started[1]));
    const int error = errno;
    if (sandbox_) ::close(started[1]);
    started_ = started[0];
    if (device_) device_->close_programs_end();
    struct stat found {};
    their_end_ = ::fstat(sockets[1], &found) == 0 ? found.st_ino : 0;
    ::close(sockets[1]);
    ::close(pipe[1]);
    channel_ = sockets[0];
    output_ = pipe[0];
    if (!start_failure_.empty()) return;
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
    Patience patience(pid_, 0, limits);
    runner::Frame hello;
    End end = send(hello, 0, patience);
    if (end == End::frame) end = wait_for_more(POLLIN, patience);
    if (end == End::frame) {
        program_pid_ = sender_of_greeting();
        end = receive(&hello, patience);
    }
    if (end == End::frame && hello.kind == runner::FrameKind::hello) {
        const auto json = nlohmann::json::parse(hello.json, nullptr, false);
        if (json.contains("backend") && json.at("backend").is_string()) backend_ = json.at("backend");
        if (backend_ != "host" && backend_ != wanted_device_) {
            reject("the program says that it runs on no device of this grader's");
        } else if (is_emulated()) {
            start_device();
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

void Child::start_device() {
    try {
        device_->start();
    } catch (const std::system_error& error) {
        reject(error.what());
        is_graders_ = true;
    }
}

void Child::reject(const std::string& reason) {
    start_failure_ = reason;
    broken_ = true;
    backend_.clear();
    kill();
}

void Child::replace_kernels() {
    std::ifstream stream(kernels_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    try {
        if (!stream.is_open()) throw DeviceFailure("can't be read");
        if (!is_emulated()) throw DeviceFailure("needs the emulator");
        device_->ask("replace_kernels", {{"ptx", text.substr(0, text.find('\0'))}});  // in the form that a program embeds
    } catch (const DeviceFailure& failure) {
        start_failure_ = fmt::format("--kernels {}: {}", kernels_, failure.what());
        is_graders_ = true;
    }
}

void Child::explain(End end, const Limits& limits, const Told& told, Reply* reply) {
    switch (end) {
        case End::computes_too_long:
        case End::sleeps_too_long:
            reply->limit = end == End::computes_too_long ? Wait::computes_too_long : Wait::sleeps_too_long;
            reply->reason = over_limit(end == End::computes_too_long, limits, told.function);
            break;
        case End::device_computes_too_long:
            reply->limit = Wait::device_computes_too_long;
            reply->reason =
                fmt::format("the device still computes after {:.3g} s of processor time {}: how many launches and blocks are there?",
                            std::chrono::duration<double>(limits.device).count(), during(told.function));
            break;
        case End::takes_too_much_memory:
            reply->limit = Wait::takes_too_much_memory;
            reply->reason = fmt::format("your code takes more than {} GiB of memory {}", limits.memory >> 30U, during(told.function));
            break;
        case End::prints_too_much:
            reply->reason = fmt::format("your code prints more than {} MiB {}", max_printed >> 20U, during(told.function));
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
    if (sandbox_) ended = end_in_sandbox(*ended);
    if (sandbox_ && !has_started()) {
        is_graders_ = true;
        return {"the program could not be confined", {}, {}, {}};
    }
    if (ended->signal != 0) return ended_by(ended->signal, function, crash);
    if (ended->status == process::not_started && function.empty()) return {fmt::format("{} can't be started", program_), {}, {}, {}};
    return {fmt::format("your code called exit({}) {}", ended->status, during(function)), {}, {}, {}};
}

bool Child::has_started() const {
    std::array<char, 2> told{};
    return ::read(started_, told.data(), told.size()) == 1 && told[0] == 's';
}

pid_t Child::sender_of_greeting() const {
    char first = 0;
    iovec part{&first, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> space{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    ucred sender{};
    if (::recvmsg(channel_, &message, MSG_PEEK) == 1) {
        const cmsghdr* const head = CMSG_FIRSTHDR(&message);
        if (head != nullptr && head->cmsg_type == SCM_CREDENTIALS) std::memcpy(&sender, CMSG_DATA(head), sizeof sender);
    }
    const int tells_sender = 0;
    ::setsockopt(channel_, SOL_SOCKET, SO_PASSCRED, &tells_sender, sizeof tells_sender);
    return sender.pid > 0 ? sender.pid : pid_;
}

// Where namespaces lie around the program, the signal that ended it arrives as a status.
process::End Child::end_in_sandbox(process::End end) const {
    constexpr int signalled = 128;
    if (end.signal == 0 && end.status > signalled && end.status <= signalled + SIGRTMAX) end.signal = end.status - signalled;
    return end;
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
