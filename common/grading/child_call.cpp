// One call of a runner's: the device, if it has one, is set up for it and asked afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/grading/child.h"
#include "common/runner/processor_time.h"
#include "common/trace/json.h"

namespace lab::grading {
namespace {

// A thread of the program's does not let the device go.
class DeviceBusy {};

}  // namespace

void Child::prepare(runner::Request* request, std::vector<std::span<const std::byte>>* contents) {
    request->timing = {};  // modelled times are the same each time
    const nlohmann::json addresses = device_->ask("begin", {{"request", *request}}, *contents);
    if (addresses.is_null()) throw DeviceBusy();
    for (std::size_t i = 0; i < request->buffers.size(); ++i) {
        runner::BufferSpec& spec = request->buffers[i];
        spec.address = addresses.value(spec.name, std::uint64_t{0});
        if (spec.address != 0) (*contents)[i] = {};
    }
}

void Child::complete(const runner::Request& request, Reply* reply) {
    trace::Answer& answer = *reply->answer;
    std::vector<std::byte> placed;
    const nlohmann::json told = device_->ask("end", nlohmann::json::object(), {reply->outputs}, &placed);
    if (told.is_null()) throw DeviceBusy();
    auto seen = told.get<trace::Answer>();
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
        runner::Frame frame{.kind = runner::FrameKind::request, .json = runner::to_text(request_), .views = std::move(contents)};
        Patience patience(program_pid_, is_emulated() ? device_->process() : 0, limits);
        ++sequence_;
        End end = send(frame, sequence_, patience);
        while (end == End::frame && !reply.answer) {
            end = receive_answer(&reply, &told, patience);
        }
        if (reply.answer && is_emulated()) complete(request_, &reply);
        if (reply.answer && (backend_ == "host" || request_.timing.is_by_suite))
            reply.answer->times_ms = times_of(told.ticks, reply.answer->times_ms.size());
        // The runner's own trouble, but in a sandbox nothing that it says of itself counts.
        if (reply.answer && sandbox_ && reply.answer->setup) {
            reply.reason = "the program says that it could not be called: " + *reply.answer->setup;
            reply.answer.reset();
        } else if (reply.answer) {
            return reply;
        } else {
            explain(end, limits, told, &reply);
        }
    } catch (const DeviceBusy&) {
        reply.answer.reset();
        reply.reason = "a thread that your code started uses the device when none of your functions runs";
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

trace::Answer Child::replay(const std::string& ptx, std::vector<std::byte>* outputs, std::vector<std::span<const std::byte>> until_wrong) {
    if (!is_emulated()) throw DeviceFailure("there is no emulated device");
    return device_->ask("replay", {{"ptx", ptx}}, std::move(until_wrong), outputs).get<trace::Answer>();
}

double Child::device_seconds() const {
    return device_ == nullptr ? 0 : 1e-9 * static_cast<double>(runner::nanoseconds_of(device_->process()));
}

double Child::milliseconds_now() const {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return backend_ == "gpu" ? std::chrono::duration<double, std::milli>(now).count()
                             : 1e-6 * static_cast<double>(runner::nanoseconds_of(program_pid_));
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
    if (request_.timing.is_by_suite) {
        if (times.size() != warm_up + 1) return {};
        return {times.back() / request_.timing.repeats};
    }
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
        told->ticks.push_back(milliseconds_now());
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

}  // namespace lab::grading
