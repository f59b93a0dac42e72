#include "common/grading/call.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/grading/options.h"
#include "common/grading/points.h"
#include "common/trace/json.h"

namespace lab::grading {
namespace {

template <typename T>
T value_at(const std::byte* values, std::size_t index) {
    T value{};
    std::memcpy(&value, values + index * sizeof(T), sizeof(T));
    return value;
}

// "N[0] was 0.25, is 0": the first changed element of an input; "" if it is none that the request gave.
std::string first_change(const trace::Change& change, const runner::BufferSpec& spec, const std::byte* given) {
    if (change.element >= spec.carried()) {
        return "";
    }
    const auto before = spec.element_bytes() == 8 ? value_at<double>(given, change.element) : value_at<float>(given, change.element);
    return fmt::format("{}[{}] was {:.9g}, is {}", spec.name, change.element, before, change.now);
}

// Whether the outputs depend on how many host threads run the blocks: which store of a race in global memory stays.
bool depends_on_threads(const Reply& reply) {
    return reply.answer && std::ranges::any_of(reply.answer->report.findings, [](const Finding& finding) {
               return finding.kind == FindingKind::race && finding.space == MemorySpace::global;
           });
}

}  // namespace

Call& Call::add(runner::BufferSpec spec, const void* content, std::size_t bytes) {
    spec.checksum = spec.output ? 0 : runner::checksum(content, bytes, nullptr, 0);
    request_.buffers.push_back(std::move(spec));
    request_.buffers.back().on_device = !has_host_arrays_;
    contents_.emplace_back(static_cast<const std::byte*>(content), bytes);
    return *this;
}

std::uint64_t Call::poison_of(const std::string& name) const {
    for (const auto& spec : request_.buffers) {
        if (spec.name == name) {
            return spec.poison;
        }
    }
    return 0;
}

nlohmann::json Result::modelled() const {
    const trace::CallTrace& report = *this;
    return {{"status", status}, {"status_text", status_text}, {"times_ms", times_ms}, {"report", report}, {"values", values}};
}

std::optional<Result> Result::modelled(const nlohmann::json& kept) {
    try {
        Result result;
        result.status = kept.at("status").get<int>();
        result.status_text = kept.at("status_text").get<std::string>();
        result.times_ms = kept.at("times_ms").get<std::vector<double>>();
        kept.at("report").get_to(static_cast<trace::CallTrace&>(result));
        result.values = kept.at("values");
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void Call::choose_device() {
    request_.backend.samples_traffic = is_timed_;
    if (is_timed_) {
        request_.backend.device = options().device;
    }
    if (!device_.empty()) {
        request_.backend.device = device_;
    }
}

std::string Call::subject() {
    choose_device();
    runner::Request request = request_;
    for (auto& buffer : request.buffers) {
        buffer.poison = 0;
        buffer.checksum = 0;
    }
    return nlohmann::json(request).dump();
}

Result Call::run(Program& program) {
    if (options().describe) {
        Result nothing;
        nothing.problem = "nothing was run: the suite only describes its tests";
        return nothing;
    }
    choose_device();
    request_.backend.follows_values = &program == &student();
    // The same outputs on every machine, and beside other gradings, whatever races: one host thread runs the blocks. Many do where time is
    // asked for, or much is computed, until a race has been seen.
    static bool has_raced = false;
    constexpr std::size_t many = 100'000;  // elements
    const bool is_large = std::ranges::any_of(request_.buffers, [](const runner::BufferSpec& buffer) { return buffer.count > many; });
    request_.backend.threads = &program != &reference() && !is_on_gpu() && (has_raced || !(is_timed_ || is_large)) ? 1 : 0;
    // A call made again to record its accesses is the test's former call.
    const bool is_again = request_.backend.records_accesses;
    if (!is_again && !options().save_inputs.empty() && (&program == &student() || &program == &reference())) {
        save();
    }
    Reply reply = program.call(request_, contents_, limits_);
    has_raced = has_raced || (&program == &student() && depends_on_threads(reply));
    if (&program == &student() && !is_again) {
        record_output(reply.output);
    }
    Result result;
    if (reply.answer) {
        if (!take_answer(std::move(*reply.answer), std::move(reply.outputs), &result)) {
            program.replace();
        }
    } else {
        result.problem = Message(reply.reason, lines(reply.details)).on(Section::failures);
        result.problem.topics = std::move(reply.topics);
        result.problem.subject = result.problem.topics.count(Topic::crash) != 0 ? Topic::crash : Topic::none;
        result.problem.findings = std::move(reply.findings);
        const bool is_too_long = reply.limit != Wait::goes_on && reply.limit != Wait::takes_too_much_memory;
        if (is_too_long) {
            result.problem = result.problem.with(
                reply.limit == Wait::sleeps_too_long
                    ? "it sleeps, or waits for what never comes: a lock, a thread, an input?"
                    : "look for a loop whose condition never becomes false, or for steps that are far too slow or too many");
        }
        if (reply.is_graders) {
            result.problem = Message(fmt::format("the grader could not call {} (this is not your mistake)", request_.call), {reply.reason});
            result.problem.kind = Topic::undecided;
            return result;
        }
        result.problem = result.problem.with(reply.never_began ? "the program is not started again in this run of the suite"
                                                               : "the program ended there; later tests start it anew");
        result.problem.kind = is_too_long ? Topic::hang : Topic::none;
    }
    return result;
}

Result Call::run_in_new_program() const {
    Program program = student().another();
    Call same = *this;
    return same.run(program);
}

void Call::save() const {
    static std::atomic<int> count{0};
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const std::string name = test == nullptr ? "no_test" : fmt::format("{}.{}", test->test_suite_name(), test->name());
    std::filesystem::create_directories(options().save_inputs);
    const auto path = std::filesystem::path(options().save_inputs) / fmt::format("{}.{}.{}.labtest", name, ++count, request_.call);
    std::ofstream file(path, std::ios::binary);
    runner::Frame frame{.kind = runner::FrameKind::request, .json = runner::to_text(request_), .views = contents_};
    const auto header = runner::header_of(frame, 0);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(frame.json.data(), static_cast<std::streamsize>(frame.json.size()));
    for (const auto& view : contents_) {
        file.write(reinterpret_cast<const char*>(view.data()), static_cast<std::streamsize>(view.size()));
    }
    fmt::print("  inputs saved: {}\n", path.string());
}

bool Call::take_answer(trace::Answer answer, std::vector<std::byte> raw, Result* result) const {
    const bool is_usable = answer.usable;
    if (answer.setup) {
        result->problem = Message(fmt::format("the grader could not call {} (this is not your mistake)", request_.call), {*answer.setup});
        result->problem.kind = Topic::undecided;
    } else if (answer.exception) {
        result->problem = Message(fmt::format("your code threw an exception during {}", request_.call), {"what(): " + *answer.exception})
                              .on(Section::failures);
    } else {
        take(std::move(answer), std::move(raw), result);
    }
    return is_usable;
}

void Call::take(trace::Answer answer, std::vector<std::byte> raw, Result* result) const {
    result->status = answer.status;
    result->status_text = std::move(answer.status_text);
    result->times_ms = std::move(answer.times_ms);
    result->values = std::move(answer.values);
    result->elsewhere = std::move(answer.elsewhere);
    static_cast<trace::CallTrace&>(*result) = std::move(answer.report);
    const auto of = [](const auto& map, const std::string& name) {
        const auto found = map.find(name);
        return found == map.end() ? std::nullopt : std::optional(found->second);
    };
    std::size_t at = 0;
    for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
        const runner::BufferSpec& spec = request_.buffers[i];
        const std::size_t bytes = spec.count * spec.element_bytes();
        if (!of(answer.fronts_intact, spec.name).value_or(false)) {
            result->problem = Message(fmt::format("your code wrote before the start of {}", spec.name),
                                      {"the bytes right before it held a pattern, which is no longer there"});
        }
        if (spec.output) {
            if (at + bytes > raw.size()) {
                result->problem = Message("what came back is no valid answer: its arrays are cut short");
                return;
            }
            result->outputs_[spec.name] = {at, bytes};
            at += bytes;
        } else if (of(answer.checksums, spec.name) != spec.checksum) {
            result->problem = Message(fmt::format("your code changed its input {}: inputs are for reading only", spec.name),
                                      {first_change(of(answer.changed, spec.name).value_or(trace::Change()), spec, contents_[i].data())})
                                  .of(Topic::changed_input);
        }
    }
    result->raw_ = std::move(raw);
}

}  // namespace lab::grading
