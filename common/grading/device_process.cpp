#include "common/grading/device_process.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "common/emulator/client/wire.h"
#include "common/emulator/options.h"
#include "common/process/installed.h"
#include "common/process/subprocess.h"
#include "common/runner/request.h"

namespace lab::grading {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void close_if_open(int* descriptor) {
    if (*descriptor >= 0) ::close(*descriptor);
    *descriptor = -1;
}

}  // namespace

DeviceProcess::DeviceProcess() {
    if (!wire::connect(&program_, &device_)) fail("no socket to the emulated device");
}

DeviceProcess::~DeviceProcess() {
    close_if_open(&program_);
    close_if_open(&device_);
    close_if_open(&questions_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    (void)process::wait_for(pid_);
}

void DeviceProcess::close_programs_end() { close_if_open(&program_); }

void DeviceProcess::start() {
    if (pid_ != 0) return;
    std::array<int, 2> questions{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, questions.data()) != 0) fail("no socket to the emulated device");
    process::Start start{.words = {process::installed_device(LAB_BIN_FOLDER), std::to_string(device_), std::to_string(questions[1])},
                         .kept = {device_, questions[1]}};
    start.has_own_group = true;  // Ctrl-C is for the suite, which may still have questions
    start.unset = emulator::variables_of_lab_run();
    pid_ = process::start(start);
    ::close(questions[1]);
    questions_ = questions[0];
    constexpr timeval patience{120, 0};  // for each question and each answer
    for (const int waits : {SO_RCVTIMEO, SO_SNDTIMEO}) ::setsockopt(questions_, SOL_SOCKET, waits, &patience, sizeof patience);
    close_if_open(&device_);
    if (pid_ < 0) fail("no process for the emulated device");
}

nlohmann::json DeviceProcess::ask(const char* what, nlohmann::json fields, std::vector<std::span<const std::byte>> contents,
                                  std::vector<std::byte>* answered) {
    fields["ask"] = what;
    runner::Frame question{.kind = runner::FrameKind::request, .json = runner::to_text(fields), .views = std::move(contents)};
    std::uint64_t nonce = 0;
    auto answer = runner::write_frame(questions_, nonce, question) ? runner::read_frame(questions_, &nonce) : std::nullopt;
    if (!answer) throw DeviceFailure("the emulated device does not answer: its process has ended, or hangs");
    nlohmann::json json = runner::parse_json(answer->json);
    if (json.contains("error")) throw DeviceFailure(json.at("error"));
    if (answered != nullptr) *answered = std::move(answer->raw);
    return std::move(json.at("value"));
}

}  // namespace lab::grading
