#include "common/runner/invocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/trace/json.h"

namespace lab::runner {
std::map<std::string, Function>& functions() {
    static std::map<std::string, Function> all;
    return all;
}

Invocation::Invocation(const Frame& frame, Suite suite, std::vector<std::byte> storage)
    : request_(parse_json(frame.json).get<Request>()), suite_(std::move(suite)), results_(std::move(storage)) {
    // The call executes this edited copy of the function (common/diagnosis/repair/variants.h).
    if (const auto edit = request_.integers.find("edit"); edit != request_.integers.end())
        ::setenv("LAB_EDIT", std::to_string(edit->second).c_str(), 1);
    std::size_t results = 0;
    for (const auto& spec : request_.buffers) {
        results += spec.output && spec.address == 0 ? spec.count * spec.element_bytes() : 0;
    }
    results_.resize(results);
    std::size_t at = 0;
    std::size_t result_at = 0;
    for (const auto& spec : request_.buffers) {
        const std::size_t carried = spec.output || spec.address != 0 ? 0 : spec.carried() * spec.element_bytes();
        if (at + carried > frame.raw.size()) {
            throw SetupError("the request's arrays are cut short");
        }
        buffers_.push_back(std::make_unique<Buffer>(spec, frame.raw.data() + at, results_.data() + result_at));
        at += carried;
        result_at += spec.output && spec.address == 0 ? buffers_.back()->bytes() : 0;
    }
}

int Invocation::integer(const std::string& name) const { return request_.integers.at(name); }

bool Invocation::is_double() const { return !buffers_.empty() && buffers_.front()->spec().type == "double"; }

Buffer& Invocation::buffer(const std::string& name) const {
    for (const auto& buffer : buffers_) {
        if (buffer->spec().name == name) {
            return *buffer;
        }
    }
    throw SetupError(fmt::format("the request has no array {}", name));
}

double Invocation::timed(const std::function<int()>& student, int* status) const {
    if (request_.timing.is_by_suite) {
        (void)suite_.tick();
        for (int repeat = 0; repeat < request_.timing.repeats && *status == 0; ++repeat) *status = student();
        backend().wait(status);
        return suite_.tick();
    }
    if (!backend().is_timed_by_suite()) return backend().timed(student, status);
    (void)suite_.tick();
    (void)backend().timed(student, status);
    return suite_.tick();
}

void Invocation::call(const std::function<int()>& student, const std::function<void()>& prepare) {
    const auto ready = [&] {
        if (prepare) {
            prepare();
        } else {
            for (const auto& buffer : buffers_) {
                buffer->poison_data();
            }
        }
    };
    suite_.announce(*this);
    backend().begin(request_.backend);
    int status = 0;
    for (int warm_up = 0; warm_up < request_.timing.warm_up && status == 0; ++warm_up) {
        timed(student, &status);
        ready();
    }
    const int repeats = request_.timing.is_by_suite ? 1 : request_.timing.repeats;
    double total = 0;
    for (int repeat = 0; repeat < repeats && status == 0; ++repeat) {
        answer_.times_ms.push_back(timed(student, &status));
        total += answer_.times_ms.back();
        if (request_.timing.limit_ms > 0 && total >= request_.timing.limit_ms) {
            break;
        }
    }
    answer_.status = status;
    answer_.report = backend().report();
}

void Invocation::note_error(int status) {
    if (answer_.status == 0) {
        answer_.status = status;
    }
}

void Invocation::note_input(const Buffer& buffer, const std::byte* now) {
    const auto& spec = buffer.spec();
    const std::size_t carried = spec.carried() * spec.element_bytes();
    const std::uint64_t sum = checksum(now, carried, nullptr, 0);
    answer_.checksums[spec.name] = sum;
    if (sum == spec.checksum) {
        return;
    }
    if (auto change = first_change(spec, {buffer.content(), carried}, now)) {
        answer_.changed[spec.name] = std::move(*change);
    }
}

Frame Invocation::answer() {
    for (const auto& buffer : buffers_) {
        const auto& spec = buffer->spec();
        answer_.fronts_intact[spec.name] = buffer->front_intact();
        if (spec.address != 0) continue;
        if (!spec.output) {
            if (answer_.checksums.count(spec.name) == 0) {
                note_input(*buffer, buffer->has_data() ? buffer->data() : buffer->content());
            }
        } else if (buffer->has_data()) {
            std::copy(buffer->data(), buffer->data() + buffer->bytes(), buffer->result());
        } else if (has_result_.count(spec.name) == 0) {
            buffer->poison_result(buffer->bytes());
        }
    }
    Frame frame{.kind = FrameKind::answer, .raw = std::move(results_)};
    answer_.status_text = backend().describe(answer_.status);
    answer_.usable = backend().recover();
    frame.json = to_text(answer_);
    return frame;
}

}  // namespace lab::runner
