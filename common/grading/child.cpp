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
#include <nlohmann/json.hpp>
#include <iterator>
#include <random>
#include <system_error>
#include <thread>

#include "common/emulator/options.h"
#include "common/process/subprocess.h"
#include "common/runner/processor_time.h"
#include "common/runner/request.h"
#include "common/trace/json.h"

namespace lab::grading {
namespace {

// How a runner is started: apart, so that all that it starts can be stopped with it.
process::Start start_of(const std::string& program, const std::optional<sandbox::Sandbox>& sandbox, int channel, int output, int device) {
    process::Start start;
    start.words = {program, "--channel", std::to_string(channel)};
    if (sandbox) start.words = sandbox->run({{std::filesystem::absolute(program)}, {}, {channel, device}, "/"}, start.words);
    start.output = output;
    start.kept = {channel, device};
    start.has_own_group = true;
    start.unset = emulator::variables_of_lab_run();
    start.environment = {{"LAB_DEVICE_SOCKET", std::to_string(device)}};
    return start;
}

// A process's own clock, whatever it says of it.
double processor_ms_of(pid_t process) {
    clockid_t clock{};
    return ::clock_getcpuclockid(process, &clock) == 0 ? runner::milliseconds_on(clock) : 0;
}

std::string over_limit(bool computed, const Limits& limits, const std::string& function) {
    const auto seconds = [](std::chrono::milliseconds limit) { return std::chrono::duration<double>(limit).count(); };
    return computed ? fmt::format("still running after {:.3g} s of processor time {}", seconds(limits.processor), during(function))
                    : fmt::format("still waiting after {:.3g} s {}", seconds(limits.asleep), during(function));
}

}  // namespace

Child::Child(std::string program, std::string kernels, std::optional<sandbox::Sandbox> sandbox)
    : program_(std::move(program)), kernels_(std::move(kernels)), sandbox_(std::move(sandbox)) {
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
    if (device_) pid_ = process::start(start_of(program_, sandbox_, sockets[1], pipe[1], device_->programs_end()));
    const int error = errno;
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

void Child::prepare(runner::Request* request, std::vector<std::span<const std::byte>>* contents) {
    request->timing = {};  // modelled times are the same each time
    const nlohmann::json addresses = device_->ask("begin", {{"request", *request}}, *contents);
    for (std::size_t i = 0; i < request->buffers.size(); ++i) {
        runner::BufferSpec& spec = request->buffers[i];
        spec.address = addresses.value(spec.name, std::uint64_t{0});
        if (spec.address != 0) (*contents)[i] = {};
    }
}

void Child::complete(const runner::Request& request, Reply* reply) {
    trace::Answer& answer = *reply->answer;
    std::vector<std::byte> placed;
    auto seen = device_->ask("end", nlohmann::json::object(), {reply->outputs}, &placed).get<trace::Answer>();
    if (answer.status == 0) {
        answer.status = seen.status;
        answer.status_text = std::move(seen.status_text);
    }
    answer.times_ms = std::move(seen.times_ms);
    answer.report = std::move(seen.report);
    answer.elsewhere = std::move(seen.elsewhere);
    answer.checksums.merge(seen.checksums);
    answer.changed.merge(seen.changed);
    if (reply->outputs.empty()) {
        reply->outputs = std::move(placed);
        return;
    }
    std::vector<std::byte> all;
    std::span<const std::byte> here(reply->outputs), there(placed);
    for (const runner::BufferSpec& spec : request.buffers) {
        if (!spec.output) continue;
        std::span<const std::byte>& from = spec.address == 0 ? here : there;
        const auto taken = from.first(std::min<std::size_t>(from.size(), spec.count * spec.element_bytes()));
        all.insert(all.end(), taken.begin(), taken.end());
        from = from.subspan(taken.size());
    }
    reply->outputs = std::move(all);
}

Reply Child::call(runner::Request request, std::vector<std::span<const std::byte>> contents, Limits limits) {
    Reply reply;
    if (!start_failure_.empty()) {
        reply.reason = start_failure_;
        reply.never_began = true;
        reply.is_graders = is_graders_;
        return reply;
    }
    Told told;
    try {
        if (is_emulated()) prepare(&request, &contents);
        request_ = std::move(request);
        runner::Frame frame;
        frame.kind = runner::FrameKind::request;
        frame.json = runner::to_text(request_);
        frame.views = std::move(contents);
        Patience patience(program_pid_, is_emulated() ? device_->process() : 0, limits);
        ++sequence_;
        End end = send(frame, sequence_, patience);
        while (end == End::frame && !reply.answer) {
            end = receive_answer(&reply, &told, patience);
        }
        if (reply.answer && is_emulated()) complete(request_, &reply);
        if (reply.answer && !told.ticks.empty()) reply.answer->times_ms = times_of(told.ticks, reply.answer->times_ms.size());
        if (reply.answer) return reply;
        explain(end, limits, told, &reply);
    } catch (const DeviceFailure& failure) {
        reply.answer.emplace().setup = failure.what();
    } catch (const trace::BadForm& bad) {
        reply.reason = "what came back is no valid answer";
        reply.details = {fmt::format("the answer{}{}", bad.what()[0] == ' ' ? "" : ".", bad.what())};
    } catch (const nlohmann::json::exception&) {
        reply.reason = "what came back is no valid answer";
    }
    broken_ = true;
    kill();
    drain_output();
    reply.output = take_output();
    return reply;
}

std::vector<double> Child::times_of(const std::vector<double>& ticks, std::size_t reported) const {
    std::vector<double> times;
    double between = 0, within = 0;
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        const double ms = ticks[i] - ticks[i - 1];
        if (i % 2 == 0) {
            between += ms;
            continue;
        }
        within += ms;
        times.push_back(ms);
    }
    const auto warm_up = static_cast<std::size_t>(request_.timing.warm_up);
    // Between two calls the runner only sets its outputs to what they were.
    constexpr double preparation_ms = 20;
    if (ticks.size() != 2 * (warm_up + reported) || between > within + preparation_ms * static_cast<double>(times.size())) return {};
    times.erase(times.begin(), times.begin() + request_.timing.warm_up);
    return times;
}

// Student code that gets host arrays begins once the device knows them.
Child::End Child::let_begin(const nlohmann::json& entering, Patience& patience) {
    const auto arrays = entering.value("arrays", nlohmann::json::object());
    for (const runner::BufferSpec& spec : request_.buffers) {
        const auto address = arrays.value(spec.name, std::uint64_t{0});
        if (address == 0 || !is_emulated()) continue;
        device_->ask("name_host_array", {{"address", address}, {"bytes", spec.count * spec.element_bytes()}, {"name", spec.name}});
    }
    return arrays.empty() ? End::frame : send({}, sequence_, patience);
}

// With the device's explanation of the access, if it has one.
std::string Child::explained(const std::string& text) {
    nlohmann::json crash = runner::parse_json(text);
    if (!is_emulated() || !crash.is_object() || !crash.contains("address")) return text;
    try {
        nlohmann::json fields{{"address", std::strtoull(crash.at("address").get<std::string>().c_str(), nullptr, 16)}};
        if (crash.contains("bytes")) {
            for (const char* const what : {"array", "begin", "bytes"}) fields[what] = crash.at(what);
        }
        nlohmann::json finding = device_->ask("explain_access", std::move(fields));
        if (finding.is_null()) return text;
        return runner::to_text({{"finding", std::move(finding)}});
    } catch (const std::exception&) {
        return text;
    }
}

Child::End Child::receive_answer(Reply* reply, Told* told, Patience& patience) {
    runner::Frame frame;
    const End end = receive(&frame, patience);
    if (end != End::frame) return end;
    if (frame.sequence != sequence_) return End::garbage;
    if (frame.kind == runner::FrameKind::answer) {
        drain_output();
        reply->output = take_output();
        reply->answer = runner::parse_json(frame.json).get<trace::Answer>();
        reply->outputs = std::move(frame.raw);
        return end;
    }
    if (frame.kind == runner::FrameKind::entering) {
        const auto json = runner::parse_json(frame.json);
        if (!json.is_object()) return End::garbage;
        told->function = json.value("function", "");
        return let_begin(json, patience);
    }
    if (frame.kind == runner::FrameKind::tick) {
        told->ticks.push_back(processor_ms_of(program_pid_));
        const std::size_t count = told->ticks.size();
        runner::Frame since;
        since.json = fmt::format("{}", count < 2 ? 0 : told->ticks[count - 1] - told->ticks[count - 2]);
        return send(since, sequence_, patience);
    }
    if (frame.kind == runner::FrameKind::crash) {
        told->crash = explained(frame.json);
        return send({}, sequence_, patience);
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
    if (sandbox_) ended = end_in_sandbox(*ended);
    if (sandbox_ && ended->status == sandbox::not_confined && function.empty()) {
        is_graders_ = true;
        return {"the program could not be confined", {}, {}, {}};
    }
    if (ended->signal != 0) return ended_by(ended->signal, function, crash);
    if (ended->status == process::not_started && function.empty()) return {fmt::format("{} can't be started", program_), {}, {}, {}};
    return {fmt::format("your code called exit({}) {}", ended->status, during(function)), {}, {}, {}};
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
