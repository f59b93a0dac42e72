// Process that runs a student's code. The suite starts it and sends it one test's inputs after another; it calls the student's function and
// returns raw outputs. It has no expected results, no seed and no points.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/runner/backend.h"
#include "common/runner/crash.h"
#include "common/runner/invocation.h"
#include "common/runner/protocol.h"
#include "common/trace/json.h"

namespace lab::runner {
namespace {

constexpr int private_descriptor = 210;  // far from descriptors that student code may use

void run_function(Invocation& invocation) {
    const auto found = functions().find(invocation.name());
    if (found == functions().end()) {
        throw SetupError(fmt::format("this runner has no function {}", invocation.name()));
    }
    found->second(invocation);
}

// `reason`: where in the answer it belongs.
Frame failure(std::optional<std::string> trace::Answer::*reason, const std::string& what) {
    trace::Answer answer;
    answer.*reason = what;
    Frame frame{.kind = FrameKind::answer, .json = to_text(answer)};
    return frame;
}

Frame answer_to(const Frame& request, const Invocation::Suite& suite, std::vector<std::byte> storage = {}) {
    try {
        Invocation invocation(request, suite, std::move(storage));
        const WatchedBuffers watch(invocation.buffers());
        run_function(invocation);
        return invocation.answer();
    } catch (const SetupError& error) {
        return failure(&trace::Answer::setup, error.what());
    } catch (const std::exception& error) {
        return failure(&trace::Answer::exception, error.what());
    } catch (...) {
        return failure(&trace::Answer::exception, "an exception that is no std::exception");
    }
}

// The suite, during one request. Without it this process ends.
struct Suite {
    int channel;
    std::uint64_t nonce, sequence;

    // Student code comes next. With host arrays it waits until the device knows them.
    void announce(const Invocation& call) const {
        nlohmann::json arrays = nlohmann::json::object();
        for (const auto& buffer : call.buffers()) {
            if (buffer->has_data()) arrays[buffer->spec().name] = reinterpret_cast<std::uint64_t>(buffer->start());
        }
        tell(FrameKind::entering, nlohmann::json{{"function", call.name()}, {"arrays", arrays}}.dump());
        if (!arrays.empty()) (void)hear();
    }
    [[nodiscard]] double tick() const {
        tell(FrameKind::tick, {});
        return std::atof(hear().json.c_str());
    }

private:
    void tell(FrameKind kind, std::string json) const {
        Frame frame{.kind = kind, .sequence = sequence, .json = std::move(json)};
        if (!write_frame(channel, nonce, frame)) std::_Exit(2);
    }
    [[nodiscard]] Frame hear() const {
        std::uint64_t from = 0;
        auto heard = read_frame(channel, &from);
        if (!heard) std::_Exit(2);
        return std::move(*heard);
    }
};

int serve(int given_descriptor) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a crash loses no line, and stderr's lines are interleaved correctly
    const int channel = ::fcntl(given_descriptor, F_DUPFD_CLOEXEC, private_descriptor);
    if (channel < 0) {
        std::fprintf(stderr, "runner: descriptor %d is not open; the suite starts this program\n", given_descriptor);
        return 2;
    }
    ::close(given_descriptor);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the runner ends with its suite

    std::uint64_t nonce = 0;
    const auto hello = read_frame(channel, &nonce);
    if (!hello || hello->kind != FrameKind::hello) {
        return 2;
    }
    Frame greeting;
    greeting.json = nlohmann::json{{"backend", backend().name()}}.dump();
    if (!write_frame(channel, nonce, greeting)) {
        return 2;
    }

    std::uint64_t from = 0;
    std::vector<std::byte> asked;
    std::vector<std::byte> answered;
    while (auto request = read_frame(channel, &from, std::move(asked))) {
        if (from != nonce || request->kind != FrameKind::request) {
            return 2;
        }
        report_crashes_to(channel, nonce, request->sequence);
        const Suite suite{channel, nonce, request->sequence};
        Frame answer =
            answer_to(*request, {[&](const Invocation& call) { suite.announce(call); }, [&] { return suite.tick(); }}, std::move(answered));
        std::fflush(nullptr);
        answer.sequence = request->sequence;
        if (!write_frame(channel, nonce, answer)) {
            return 2;
        }
        asked = std::move(request->raw);
        answered = std::move(answer.raw);
    }
    return 0;
}

int replay(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::uint64_t nonce = 0;
    const auto request = file < 0 ? std::nullopt : read_frame(file, &nonce);
    if (!request || request->kind != FrameKind::request) {
        std::fprintf(stderr, "runner: %s is not a test saved by a suite (run the suite with LAB_SAVE_INPUTS=DIR to make one)\n",
                     path.c_str());
        return 2;
    }
    fmt::print("replaying {}\n", path);
    std::fflush(nullptr);  // tools that watch this process write in between
    const Frame answer = answer_to(*request, {[](const Invocation& call) { fmt::print("calling {}\n", call.name()); }, [] { return 0.0; }});
    std::fflush(nullptr);
    fmt::print("{}\n", nlohmann::json::parse(answer.json).dump(2));
    return 0;
}

}  // namespace
}  // namespace lab::runner

int main(int argc, char** argv) {
    // A few fixed words from our own suites, read at each start: no library for them.
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "--channel") return lab::runner::serve(std::atoi(words[1].c_str()));
    if (words.size() > 1 && words[0] == "--replay") {
        int worst = 0;
        for (std::size_t i = 1; i < words.size(); ++i) worst = std::max(worst, lab::runner::replay(words[i]));
        return worst;
    }
    std::fprintf(stderr, "runner: started without a suite; use --replay FILE... to run saved tests (under a debugger, say)\n");
    return 2;
}
