// Judges a kernel's speed: as a fraction of another kernel's, as a speed-up over the CPU, and, without counters, by the side of a limit
// between two reference times.
//
// `Work` is the kernels' problem, with its inputs and expected result:
//   void rotate()                                       other inputs with a known result, for the next round
//   Message judge(const Result&, const Call&) const     of the output
//   std::string size() const                            "W=1024"
//   std::string rate(double ms) const                   "812 GFLOP/s"
//   double cpu_ms() const                               the plain loop on one thread, measured
//   double traffic(const Result&) const                 counted, for a call with a right result; emulator only
//   std::string traffic_name() const                    "loads from global memory for each element of P"
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "common/grading/call.h"
#include "common/grading/duel.h"
#include "common/grading/findings.h"
#include "common/grading/modelled_calls.h"
#include "common/grading/points.h"

namespace lab::grading {

[[nodiscard]] inline bool emulated() { return student().backend() == "emulator"; }

// One candidate of a paired benchmark: its program, its call (with all arguments) on the inputs of this round, and its judge, unless it is
// the work's own.
template <typename Work>
struct Contender {
    Program* program;
    std::function<Call(const Work&)> make_call;
    std::function<Message(const Work&, const Result&, const Call&)> judge = &Contender::judged_by_the_work;

    static Message judged_by_the_work(const Work& work, const Result& result, const Call& call) { return work.judge(result, call); }
};
template <typename Work>
using ContenderOf = Contender<std::type_identity_t<Work>>;  // takes no part in finding out what Work is

// One timed launch on the current inputs of `work`, its output judged.
template <typename Work>
[[nodiscard]] Judged launch_timed(const Work& work, const Contender<Work>& contender) {
    Call call = contender.make_call(work).timed();
    const auto judge = [&](const Result& result) { return contender.judge(work, result, call); };
    if (contender.program == &reference()) {
        return run_reference(call, judge);
    }
    Judged judged{call.run(*contender.program), {}};
    judged.problem = judge(judged.result);
    return judged;
}

struct Speed {
    Outcome outcome;
    std::string times;         // "modelled for h100"
    double first_traffic = 0;  // Work::traffic; 0 without counters
    double second_traffic = 0;
    std::string more;  // larger_count() of the first; "" without counters
};

// Two kernels timed alternately; every output is checked. `threshold`: of the ratio second / first. The work is rotated on.
// `max_rounds`: where that ratio isn't clear on a GPU.
template <typename Work>
[[nodiscard]] Speed race(Work& work, const ContenderOf<Work>& first, const ContenderOf<Work>& second, double threshold,
                         int max_rounds = 25) {
    int prepared = 0;
    Speed speed;
    speed.times = "measured";
    Result own, other;  // of the latest round
    const auto side = [&](const Contender<Work>& contender, Result* latest) {
        return [&, latest](int round) -> Round {
            for (; prepared < round; ++prepared) {
                work.rotate();
            }
            Judged judged = launch_timed(work, contender);
            *latest = std::move(judged.result);
            speed.times = latest->problem.empty() ? kind_of_times(*latest) : speed.times;
            return {latest->times_ms, judged.problem};
        };
    };
    DuelRules rules;
    rules.threshold = threshold;
    rules.deterministic = emulated();
    if (!emulated()) {
        // One launch a round: every timed launch has fresh inputs, so that a cached result can't be right.
        rules.warm_up_rounds = 1;
        rules.rounds = 9;
        rules.rounds_if_far = 4;
        rules.max_rounds = max_rounds;
    }
    speed.outcome = duel(side(first, &own), side(second, &other), rules);
    if (emulated() && speed.outcome.problem.empty()) {
        speed.first_traffic = work.traffic(own);
        speed.second_traffic = work.traffic(other);
        speed.more = larger_count(own, other);
    }
    return speed;
}

// Required share of the reference's speed: right kernels in an unusual form reach 0.68 and more, with padded tiles 0.78 (H100, 42
// submissions, 2026-11-25). The technique tests find kernels that lack a technique.
inline constexpr double share_of_reference = 0.65;

// Names in messages of the kernel that a fraction of the speed refers to.
struct Standard {
    std::string name = "reference";
    std::string genitive = "the reference's";
};

// At least `fraction` of the other's speed.
template <typename Work>
void expect_fraction(const std::string& place, Work work, const ContenderOf<Work>& own, const ContenderOf<Work>& given, double fraction,
                     const Standard& standard = {}) {
    const Speed speed = race(work, own, given, fraction);
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

// One kernel alone: on a GPU five launches after a warm-up, each on other inputs and with its output checked; a modelled time needs one.
// `launches`: on a GPU, the warm-up included; if one call repeats its launch itself, 1 is enough.
template <typename Work>
[[nodiscard]] Measured measure(Work& work, const ContenderOf<Work>& contender, int launches = 6) {
    Measured measured;
    if (emulated()) {
        launches = 1;
    }
    for (int launch = 0; launch < launches; ++launch) {
        if (launch > 0) {
            work.rotate();
        }
        const auto [result, problem] = launch_timed(work, contender);
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

// At least `least` times as fast as the plain loop on one CPU thread, without copies.
template <typename Work>
void expect_speedup_over_cpu(const std::string& place, Work work, const ContenderOf<Work>& contender, double least) {
    const Measured measured = measure(work, contender);
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
void expect_good_side(const std::string& place, Work work, const ContenderOf<Work>& own, const ContenderOf<Work>& good,
                      const ContenderOf<Work>& bad, const Message& fault, const std::string& technique, double limit = 0.5) {
    // A right kernel is as fast as `good`, so no number of rounds would make that ratio significant. Medians of five vary by some per cent;
    // `good` and `bad` differ by a factor of two.
    constexpr int rounds = 5;
    const Speed with = race(work, own, good, 1, rounds);
    const Speed without = race(work, own, bad, 1, rounds);
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
