// Messages to the student for a backend's findings, and queries of its counters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/diagnosis/causes/block_map.h"
#include "common/diagnosis/verdict.h"
#include "common/grading/call.h"
#include "common/grading/recorded_accesses.h"
#include "common/grading/repairs.h"

namespace lab::grading {

// Whether a right result suffices, or every finding of the checkers counts as well.
enum class Care { result, everything };

// Status that functions of the shipped stubs return.
inline constexpr int cuda_error_not_supported = 801;

// Reason why a call has no result: the runner's failure, the fault that ended its kernel, or the error that it returned. Empty if it ended
// normally.
[[nodiscard]] Message stopped(const Result& result);
// The first finding of a kind, or nothing.
[[nodiscard]] Message finding(const Result& result, FindingKind kind);
// The most informative finding of all checkers, with the others named in a line; leaks are judged separately (leak()).
[[nodiscard]] Message leading_finding(const Result& result);
// The first leaked allocation, or nothing.
[[nodiscard]] Message leak(const Result& result);

// Judges an output whose elements are all right. Returns a checker's finding (with Care::everything), or reports that no kernel stored the
// elements: the host computed them, or a copy moved them.
[[nodiscard]] Message judge_right(const Result& result, const Shape& shape, Care care);

// Combines a finding with the wrong elements, which become its evidence. If their values prove a wrong index, that explains the finding
// (why threads access the same element), and the roles are exchanged.
[[nodiscard]] Message explained_by(const Message& found, const Message& wrong);

// Adds threads that exited before a barrier of their block to a verdict without a cause, if there were any. Emulator only.
[[nodiscard]] Message explained_by_exits(const Result& result, Message wrong);

// Whether a new program is worth asking: the student's code has made another call before this one, its result depends on nothing but
// the calls, and no new program was asked in the running test.
[[nodiscard]] bool may_depend_on_past_calls(const Message& wrong);
// A verdict on a call that is right in a new program.
[[nodiscard]] Message from_past_calls(const Shape& shape, Message wrong);

// What is known of a call's one launch; of several, or none, all 0.
[[nodiscard]] Launched launched_in(const Result& result);

// For a launch that a fault ended at an access outside its array: the wrong index, if all elements written so far prove it.
template <typename T>
[[nodiscard]] Message stopped_by_index(const Result& result, const Message& halt, const Shape& shape, const Expected& expected,
                                       std::uint64_t poison, Launched launched) {
    if (halt.kind != Topic::out_of_bounds || !result.problem.empty()) {
        return halt;
    }
    launched.is_stopped = true;
    const Message cause = index_mistake(shape, result.output<T>(shape.name), expected, poison, launched);
    return cause.empty() ? halt : explained_by(halt, cause);
}

// Verdict on a wrong call, explained by earlier calls if a new program, which makes this call only, gets it right. As a call takes time:
// once a test at most, and of large outputs only where neither values nor a finding tell the cause.
template <typename T>
[[nodiscard]] Message explained_by_past_calls(const Call& call, const Shape& shape, const Expected& expected, Message wrong) {
    constexpr std::size_t large = 20'000;
    const bool is_open = wrong.proof < Proof::several && wrong.findings.empty();
    if ((!is_open && expected.value.size() > large) || !may_depend_on_past_calls(wrong)) {
        return wrong;
    }
    const Result again = call.run_in_new_program();
    if (!stopped(again).empty() || !is_right(again.output<T>(shape.name), expected)) {
        return wrong;
    }
    return from_past_calls(shape, std::move(wrong));
}

// The whole verdict on one output: stopped; or wrong, by what a checker found where one did; or right, but with a finding
// (only where care is taken of everything).
template <typename T>
[[nodiscard]] Message verdict_on_output(const Result& result, const Shape& shape, const Expected& expected, const Call& call, Care care) {
    const Launched launched = launched_in(result);
    const std::uint64_t poison = call.poison_of(shape.name);
    const Record record = [&] { return RecordedAccesses(call).launch(); };
    const auto explained = [&](Message found) {
        if (found.findings.empty()) return found;
        const Finding finding = found.findings.front();
        const std::string first_line = found.what;
        return explained_by_launch(std::move(found), {finding, first_line, launched, shape, expected, record});
    };
    if (const auto problem = explained(stopped(result)); !problem.empty()) {
        return explained_by_past_calls<T>(call, shape, expected, stopped_by_index<T>(result, problem, shape, expected, poison, launched));
    }
    const auto wrong = explained_by_map(compare(shape, result.output<T>(shape.name), expected, poison, launched), record, shape, launched);
    if (wrong.empty()) return explained(judge_right(result, shape, care));
    const auto found = explained(leading_finding(result));
    return explained_by_past_calls<T>(call, shape, expected,
                                      explained_by_exits(result, found.empty() ? wrong : explained_by(found, wrong)));
}

// The same, with a search for the cause.
template <typename T>
[[nodiscard]] Message judge_output(const Result& result, const Shape& shape, const Expected& expected, const Call& call,
                                   Care care = Care::result) {
    Message verdict = verdict_on_output<T>(result, shape, expected, call, care);
    learn_from<T>(call, result, expected, verdict);
    return verdict;
}

// "modelled for h100" or "measured on NVIDIA H100 80GB HBM3".
[[nodiscard]] std::string kind_of_times(const Result& result);

using trace::Counters;
using trace::MemoryCounts;
// A kind of access, &Counters::global_load; that of global memory for "load" or "store".
using Access = MemoryCounts Counters::*;
[[nodiscard]] inline Access global_access(const std::string& kind) {
    return kind == "load" ? &Counters::global_load : &Counters::global_store;
}

// Counters of all launches of a call together. Emulator only, like the next.
[[nodiscard]] Counters counters_of(const Result& result);
// One of them: count(result, &Counters::global_load, &MemoryCounts::sectors).
[[nodiscard]] double count(const Result& result, Access access, std::uint64_t MemoryCounts::*counted);
// 0 without requests.
[[nodiscard]] double sectors_per_request(const Result& result, Access access);
// The count that exceeds the other call's by the largest factor, "3.1 times as many sectors loaded from global memory"; "" if none is a
// tenth larger. Emulator only.
[[nodiscard]] std::string larger_count(const Result& own, const Result& other);
// "1 copy", "2 copies".
[[nodiscard]] std::string counted(std::int64_t count, const char* one, const char* many);

// In the emulator it runs once in forward and once in reversed order, each with all checkers. A GPU has neither a choice of order nor
// checkers, so it runs ten times. `kind`: a finding of this kind takes precedence over a fault that ended the launch.
template <typename T>
[[nodiscard]] Message judge_in_any_order(Call& call, const Shape& shape, const Expected& expected, std::optional<FindingKind> kind = {}) {
    const bool emulated = student().backend() == "emulator";
    const int runs = emulated ? 2 : 10;
    const Ways ways =
        emulated ? Ways{"blocks and warps in order", "blocks and warps in reversed order"} : Ways{"the first run", "a later run"};
    std::vector<T> first;
    for (int run = 0; run < runs; ++run) {
        call.backend().order = emulated && run == 1 ? emulator::Order::reversed : emulator::Order::forward;
        const Result result = call.run(student());
        Message problem = judge_output<T>(result, shape, expected, call, Care::everything);
        if (const Message halt = stopped(result); !halt.empty()) {
            const Message own = result.problem.empty() && kind ? finding(result, *kind) : Message();
            return own.empty() || own.kind == halt.kind ? problem : own.with("then: " + halt.what);
        }
        if (problem.kind != Topic::none || (run == 0 && !problem.empty())) {
            return problem;
        }
        const auto output = result.output<T>(shape.name);
        if (run == 0) {
            first = output;
        } else if (auto differs = compare_orders(shape, first, output, ways); !differs.empty()) {
            return problem.empty() ? differs : differs.with(problem.what + " with " + ways.second);
        }
    }
    return {};
}

}  // namespace lab::grading
