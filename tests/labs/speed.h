// How the suites judge a kernel's speed: a fraction of another kernel's, a speed-up over the CPU, and, where there are no counters, on
// which side of two yardsticks its time lies.
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

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "common/grading/call.h"
#include "common/grading/findings.h"
#include "common/grading/modelled_calls.h"
#include "common/grading/paired_benchmark.h"
#include "common/grading/points.h"

namespace lab::grading {

[[nodiscard]] inline bool emulated() { return student().backend() == "emulator"; }

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

struct Speed {
    PairedTimes outcome;
    std::string times;         // "modelled for h100"
    double first_traffic = 0;  // as Work::traffic says; 0 where nobody counts
    double second_traffic = 0;
    std::string more;  // what the first has more of, as larger_count() says; "" where nobody counts
};

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
    rules.deterministic = emulated();
    if (!emulated()) {
        // One launch a round: every timed launch has inputs that none before it had, so nothing can be replayed.
        rules.warm_up_rounds = 1;
        rules.rounds = 9;
        rules.rounds_if_far = 4;
        rules.max_rounds = max_rounds;
    }
    speed.outcome = run_paired(side(first, &own), side(second, &other), rules);
    if (emulated() && speed.outcome.problem.empty()) {
        speed.first_traffic = work.traffic(own);
        speed.second_traffic = work.traffic(other);
        speed.more = larger_count(own, other);
    }
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
// a modelled time needs one. `launches`: on a GPU, that first one included; where one call repeats its launch itself, 1 is enough.
template <typename Work>
[[nodiscard]] Measured measure(Work& work, const CandidateOf<Work>& candidate, int launches = 6) {
    Measured measured;
    if (emulated()) {
        launches = 1;
    }
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

// Technique where there are no counters: the student's time has to lie on the good side of a time between those of two kernels of the
// reference, one that has the technique and one that lacks it, both timed alternately with the student's. `limit`: where between, on a
// logarithmic scale, 0 at the good one's; 0.5 is the geometric mean. `fault` says in its first line what is wrong otherwise, as the
// counters' verdict does in the emulator.
template <typename Work>
void expect_good_side(const std::string& place, Work work, const CandidateOf<Work>& own, const CandidateOf<Work>& good,
                      const CandidateOf<Work>& bad, const Message& fault, const std::string& technique, double limit = 0.5) {
    // As fast as `good` is what a right kernel is: no number of rounds would make that ratio clear. Medians of five are some per cent
    // off; `good` and `bad` are twofold apart.
    constexpr int rounds = 5;
    const Speed with = compare_speed(work, own, good, 1, rounds);
    const Speed without = compare_speed(work, own, bad, 1, rounds);
    for (const auto* speed : {&with, &without}) {
        if (!speed->outcome.problem.empty()) {
            return fail(speed->outcome.problem.at(place));
        }
    }
    const double own_time = std::sqrt(with.outcome.first.median() * without.outcome.first.median());
    const double good_time = with.outcome.second.median();
    const double longest = good_time * std::pow(without.outcome.second.median() / good_time, limit);
    const std::string text =
        fmt::format("judged by time, as a GPU has no counters here: {}: {:.4g} ms; with {} {:.4g} ms, without {:.4g} ms", work.size(),
                    own_time, technique, with.outcome.second.median(), without.outcome.second.median());
    record_measurement(text, with.times);
    Message lacks = fault.with(text).at(place);
    lacks.what += fmt::format(": your kernel is as slow as one without {}", technique);
    expect(own_time <= longest, lacks);
}

}  // namespace lab::grading
