// How the suites judge a kernel's speed: as a fraction of another kernel's, and as a speed-up over the CPU.
//
// `Work` is what the kernels compute, with its inputs and the result that they must have:
//   void rotate()                                       other inputs with a known result, for the next round
//   Message judge(const Result&, const Call&) const     of the output
//   std::string size() const                            "W=1024"
//   std::string rate(double ms) const                   "812 GFLOP/s"
//   double cpu_ms() const                               the plain loop on one thread, measured
//   double traffic(const Result&) const                 of a call whose result is right, counted; only asked in the emulator
//   std::string traffic_name() const                    "loads from global memory for each element of P"
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "common/grading/call.h"
#include "common/grading/findings.h"
#include "common/grading/modelled_calls.h"
#include "common/grading/paired_benchmark.h"
#include "common/grading/points.h"

namespace lab::grading {

// One candidate of a paired benchmark: which program, which call (with all its arguments) on the inputs of this round, and how its output
// is judged where it isn't the work's own.
template <typename Work>
struct Candidate {
    Program* program;
    std::function<Call(const Work&)> make_call;
    std::function<Message(const Work&, const Result&, const Call&)> judge = &Candidate::judged_by_the_work;

    static Message judged_by_the_work(const Work& work, const Result& result, const Call& call) { return work.judge(result, call); }
};
template <typename Work>
using CandidateOf = Candidate<std::type_identity_t<Work>>;  // takes no part in finding out what Work is

// One timed launch on the inputs that `work` has now, its output judged.
template <typename Work>
[[nodiscard]] Judged launch_timed(const Work& work, const Candidate<Work>& candidate) {
    Call call = candidate.make_call(work).timed();
    const auto judge = [&](const Result& result) { return candidate.judge(work, result, call); };
    if (candidate.program == &reference()) {
        return run_reference(call, judge);
    }
    Judged judged{call.run(*candidate.program), {}};
    judged.problem = judge(judged.result);
    return judged;
}

// Times of events are taken in the student's process. Launches without a wait between them take about as long by the suite's own clock,
// the first reads from DRAM aside. Empty if they do, or if there is nothing to compare.
template <typename Work>
[[nodiscard]] Message differs_from_suites_clock(const Work& work, const Candidate<Work>& candidate, double by_events_ms) {
    if (!is_on_gpu() || candidate.program != &student()) return {};
    constexpr double all_ms = 5, launch_ms = 0.02, noise = 1.5;
    const int repeats = std::clamp(static_cast<int>(all_ms / std::max(by_events_ms, 0.001)), 20, 500);
    double by_suite_ms = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < 3 && by_suite_ms > noise * by_events_ms + launch_ms; ++attempt) {  // others may use the GPU, too
        Call call = candidate.make_call(work).timing({.warm_up = 1, .repeats = repeats, .is_by_suite = true});
        const Result result = call.run(student());
        if (!result.problem.empty()) return result.problem;
        if (!result.times_ms.empty()) by_suite_ms = std::min(by_suite_ms, result.times_ms.front());
    }
    if (by_suite_ms <= noise * by_events_ms + launch_ms) return {};
    return Message(
        "the time by events does not agree with the suite's clock: does your function do more than launch its kernel?",
        {fmt::format("by events {:.4g} ms, by the suite's clock {:.4g} ms, the mean of {} calls", by_events_ms, by_suite_ms, repeats)});
}

struct Speed {
    PairedTimes outcome;
    std::string times;  // "modelled for h100"
    // Counted in the emulator, on a GPU only where the first is too slow.
    double first_traffic = 0, second_traffic = 0;  // as Work::traffic says
    std::string more;                              // the count in which the first exceeds the second most, from larger_count()
};

// The same two calls in the emulator, which counts. False if one of them fails there.
template <typename Work>
[[nodiscard]] bool count_both(const Work& work, const Candidate<Work>& first, const Candidate<Work>& second, Result* own, Result* other) {
    const auto counted = [&](Candidate<Work> candidate, Result* result) {
        const bool is_own = candidate.program == &student();
        use_gpu(false);
        candidate.program = is_own ? &student() : &reference();
        Judged judged = launch_timed(work, candidate);
        use_gpu(true);
        *result = std::move(judged.result);
        return judged.problem.empty() && !result->launches.empty();
    };
    return counted(first, own) && counted(second, other);
}

// Two kernels timed alternately; every output is checked. `threshold`: of the ratio second / first. The work is rotated on.
// `max_rounds`: where that ratio isn't clear on a GPU.
template <typename Work>
[[nodiscard]] Speed compare_speed(Work& work, const CandidateOf<Work>& first, const CandidateOf<Work>& second, double threshold,
                                  int max_rounds = 25) {
    int prepared = 0;
    Speed speed;
    speed.times = "measured";
    Result own, other;  // of the latest round
    const auto side = [&](const Candidate<Work>& candidate, Result* latest) {
        return [&, latest](int round) -> Round {
            for (; prepared < round; ++prepared) {
                work.rotate();
            }
            Judged judged = launch_timed(work, candidate);
            *latest = std::move(judged.result);
            speed.times = latest->problem.empty() ? kind_of_times(*latest) : speed.times;
            return {latest->times_ms, judged.problem};
        };
    };
    PairedRules rules;
    rules.threshold = threshold;
    rules.deterministic = !is_on_gpu();
    if (is_on_gpu()) {
        // One launch a round: every timed launch has inputs that none before it had, so nothing can be replayed.
        rules.warm_up_rounds = 1;
        rules.rounds = 9;
        rules.rounds_if_far = 4;
        rules.max_rounds = max_rounds;
    }
    speed.outcome = run_paired(side(first, &own), side(second, &other), rules);
    if (speed.outcome.problem.empty()) speed.outcome.problem = differs_from_suites_clock(work, first, speed.outcome.first.median());
    if (!speed.outcome.problem.empty() || (is_on_gpu() && speed.outcome.ratio() >= threshold)) return speed;
    if (is_on_gpu() && !count_both(work, first, second, &own, &other)) return speed;
    speed.first_traffic = work.traffic(own);
    speed.second_traffic = work.traffic(other);
    speed.more = larger_count(own, other);
    return speed;
}

// The share of the reference's speed that is asked of a kernel: right ones in an unusual form reach 0.68 and more, with padded tiles 0.78
// (H100, 42 submissions, 2026-11-25). What lacks a technique is found by the tests of technique.
inline constexpr double share_of_reference = 0.65;

// How a message names the kernel that a fraction of the speed is asked of.
struct Standard {
    std::string name = "reference";
    std::string genitive = "the reference's";
};

// At least `fraction` of the other's speed.
template <typename Work>
void expect_fraction(const std::string& place, Work work, const CandidateOf<Work>& own, const CandidateOf<Work>& given, double fraction,
                     const Standard& standard = {}) {
    const Speed speed = compare_speed(work, own, given, fraction);
    if (!speed.outcome.problem.empty()) {
        return fail(speed.outcome.problem.at(place));
    }
    const std::string text =
        fmt::format("{}: {:.4g} ms, {} {:.4g} ms: {:.2f} of its speed, spread {:.1f} %", work.size(), speed.outcome.first.median(),
                    standard.name, speed.outcome.second.median(), speed.outcome.ratio(), 100 * speed.outcome.noise());
    record_measurement(text, speed.times);
    Message slow(fmt::format("too slow: {:.2f} of {} speed, {} is asked for{}", speed.outcome.ratio(), standard.genitive, fraction,
                             speed.more.empty() ? "" : "; it has " + speed.more),
                 {fmt::format("{} (times {})", text, speed.times)});
    if (speed.first_traffic > 0) {
        slow = slow.with(fmt::format("counted {}: {:.4g}; {} kernel has {:.4g}", work.traffic_name(), speed.first_traffic,
                                     standard.genitive, speed.second_traffic));
    }
    expect(speed.outcome.ratio() >= fraction, slow.at(place));
}

struct Measured {
    Times times;
    std::string kind;  // of times
    Message problem;   // of a launch whose output was wrong; then there are no times
};

// One kernel alone: on a GPU five launches after one that warms it up, each on other inputs and with its output checked;
// a modelled time needs one.
template <typename Work>
[[nodiscard]] Measured measure(Work& work, const CandidateOf<Work>& candidate) {
    Measured measured;
    const int launches = is_on_gpu() ? 6 : 1;
    for (int launch = 0; launch < launches; ++launch) {
        if (launch > 0) {
            work.rotate();
        }
        const auto [result, problem] = launch_timed(work, candidate);
        if (!problem.empty()) {
            measured.problem = problem;
            return measured;
        }
        measured.kind = kind_of_times(result);
        if (launches == 1 || launch > 0) {
            measured.times.all.insert(measured.times.all.end(), result.times_ms.begin(), result.times_ms.end());
        }
    }
    measured.problem = differs_from_suites_clock(work, candidate, measured.times.median());
    return measured;
}

// At least `least` times as fast as the plain loop on one CPU thread, copies not counted.
template <typename Work>
void expect_speedup_over_cpu(const std::string& place, Work work, const CandidateOf<Work>& candidate, double least) {
    const Measured measured = measure(work, candidate);
    if (!measured.problem.empty()) {
        return fail(measured.problem.at(place));
    }
    const Times& times = measured.times;
    const double cpu = work.cpu_ms();
    const double speedup = cpu / times.median();
    const std::string text = fmt::format("{}: {:.4g} ms, {}; CPU, one thread, measured: {:.4g} ms; speed-up {:.4g}", work.size(),
                                         times.median(), work.rate(times.median()), cpu, speedup);
    record_measurement(text, measured.kind);
    expect(speedup >= least,
           Message(fmt::format("too slow: {:.4g} times as fast as one CPU thread, at least {} is asked for", speedup, least),
                   {fmt::format("{} (kernel's time {})", text, measured.kind)})
               .at(place));
}

}  // namespace lab::grading
