// What the suites of labs 2 and 3 share: products of square matrices, and judging a kernel's speed.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/grading/call.h"
#include "common/grading/cpu_baseline.h"
#include "common/grading/duel.h"
#include "common/grading/findings.h"
#include "common/grading/orders.h"
#include "common/grading/points.h"
#include "common/grading/shapes.h"

namespace lab::grading {

// Random M and N of W x W, and their product.
template <typename T>
struct SquareProduct {
    int W = 0;
    std::vector<T> M, N;
    Expected P;

    SquareProduct(int width, Random& random)
        : W(width), M(random.values<T>(elements())), N(random.values<T>(elements())), P(expect_product(M, N, rows(), rows(), rows())) {}
    [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(W); }
    [[nodiscard]] std::size_t elements() const { return rows() * rows(); }
    [[nodiscard]] Shape shape() const { return {"P", rows(), rows(), true}; }
    // Other input with a known product, for the next round of a timing: all rows of M and of P moved up by one.
    void rotate() {
        const auto up = [&](auto& all) { std::rotate(all.begin(), all.begin() + W, all.end()); };
        up(M);
        up(P.value);
        up(P.bound);
        P.factors.reset();
    }
};

// A call with these matrices; the kernel's other arguments are the caller's to add.
template <typename T>
[[nodiscard]] Call call_with(const std::string& function, const SquareProduct<T>& product, Random& random) {
    Call call(function);
    call.integer("W", product.W).input("M", product.M).input("N", product.N).template output<T>("P", product.elements(), random);
    // Enough for a kernel that wastes a lot, few enough for an endless one to end while its student still watches.
    const auto wide = static_cast<std::uint64_t>(product.W);
    call.backend().max_instructions = std::min<std::uint64_t>(1'000'000 + 20 * wide * wide * wide, 1'000'000'000);
    return call;
}

template <typename T>
[[nodiscard]] Message judge_product(const Result& result, const SquareProduct<T>& product, const Call& call, Care care = Care::result) {
    return judge_output<T>(result, product.shape(), product.P, call.poison_of("P"), care);
}

[[nodiscard]] inline bool emulated() { return student().backend() == "emulator"; }

// One contender of a duel: which program, which call (with all its arguments) on the product of this round.
struct Contender {
    Program* program;
    std::function<Call(const SquareProduct<float>&)> make_call;
};

struct Speed {
    Outcome outcome;
    std::string times;       // "modelled for h100"
    double first_loads = 0;  // from global memory, for each element of P; 0 where nobody counts
    double second_loads = 0;
};

[[nodiscard]] inline double loads_an_element(const Result& result, int W) {
    const bool counted = emulated() && stopped(result).empty();
    return counted ? counter(result, "global_load", "bytes") / sizeof(float) / (static_cast<double>(W) * W) : 0;
}

// Two kernels timed in turn; every output is checked. `threshold`: of the ratio second / first. The product is rotated on.
[[nodiscard]] inline Speed race(SquareProduct<float>& product, const Contender& first, const Contender& second, double threshold) {
    std::string times = "measured";
    int prepared = 0;
    Speed speed;
    const auto side = [&](const Contender& contender, double* loads) {
        return [&, loads](int round) -> Round {
            for (; prepared < round; ++prepared) {
                product.rotate();
            }
            Call call = contender.make_call(product);
            const Result result = call.run(*contender.program);
            times = result.problem.empty() ? kind_of_times(result) : times;
            *loads = loads_an_element(result, product.W);
            return {result.times_ms, judge_product(result, product, call)};
        };
    };
    DuelRules rules;
    rules.threshold = threshold;
    rules.deterministic = emulated();
    if (!emulated()) {
        // One launch a round: every timed launch has inputs that none before it had, so nothing can be replayed.
        rules.warm_up_rounds = 1;
        rules.rounds = 9;
        rules.most_rounds = 25;
    }
    speed.outcome = duel(side(first, &speed.first_loads), side(second, &speed.second_loads), rules);
    speed.times = times;
    return speed;
}

[[nodiscard]] inline Speed race(int W, const Contender& first, const Contender& second, double threshold, Random& random) {
    SquareProduct<float> product(W, random);
    return race(product, first, second, threshold);
}

// At least `fraction` of the reference's speed.
inline void expect_fraction_of_reference(const std::string& place, int W, const Contender& own, const Contender& given, double fraction,
                                         Random& random) {
    const Speed speed = race(W, own, given, fraction, random);
    if (!speed.outcome.problem.empty()) {
        return fail(speed.outcome.problem.at(place));
    }
    const std::string text =
        fmt::format("W={}: {:.4g} ms, reference {:.4g} ms: {:.2f} of its speed, spread {:.1f} %", W, speed.outcome.first.median(),
                    speed.outcome.second.median(), speed.outcome.ratio(), 100 * speed.outcome.noise());
    record_measurement(text, speed.times);
    Message slow(fmt::format("too slow: {:.2f} of the reference's speed, {} is asked for", speed.outcome.ratio(), fraction),
                 {fmt::format("{} (times {})", text, speed.times)});
    if (speed.first_loads > 0) {
        slow = slow.with(fmt::format("counted loads from global memory for each element of P: {:.4g}; the reference's kernel has {:.4g}",
                                     speed.first_loads, speed.second_loads));
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
[[nodiscard]] inline Measured measure(SquareProduct<float>& product, const Contender& contender) {
    Measured measured;
    const int launches = emulated() ? 1 : 6;
    for (int launch = 0; launch < launches; ++launch) {
        if (launch > 0) {
            product.rotate();
        }
        Call call = contender.make_call(product);
        const Result result = call.run(*contender.program);
        measured.problem = judge_product(result, product, call);
        if (!measured.problem.empty()) {
            return measured;
        }
        measured.kind = kind_of_times(result);
        if (emulated() || launch > 0) {
            measured.times.all.insert(measured.times.all.end(), result.times_ms.begin(), result.times_ms.end());
        }
    }
    return measured;
}

// At least `least` times as fast as the triple loop on one CPU thread, copies not counted.
inline void expect_speedup_over_cpu(const std::string& place, SquareProduct<float>& product, const Contender& contender, double least) {
    const Measured measured = measure(product, contender);
    if (!measured.problem.empty()) {
        return fail(measured.problem.at(place));
    }
    const Times& times = measured.times;
    const double cpu = cpu_matmul_ms(product.W);
    const double speedup = cpu / times.median();
    const std::string text = fmt::format("W={}: {:.4g} ms, {:.4g} GFLOP/s; CPU, one thread, measured: {:.4g} ms; speed-up {:.4g}",
                                         product.W, times.median(), 2e-6 * std::pow(product.W, 3) / times.median(), cpu, speedup);
    record_measurement(text, measured.kind);
    expect(speedup >= least,
           Message(fmt::format("too slow: {:.4g} times as fast as one CPU thread, at least {} is asked for", speedup, least),
                   {fmt::format("{} (kernel's time {})", text, measured.kind)})
               .at(place));
}

// Technique where there are no counters: the student's time has to lie on the good side of the geometric mean of two
// kernels of the reference, one that has the technique and one that lacks it, both timed in turn with the student's.
// `fault` names what is wrong otherwise, as the counters' verdict does in the emulator.
inline void expect_good_side(const std::string& place, int W, const Contender& own, const Contender& good, const Contender& bad,
                             const std::string& fault, const std::string& technique, Random& random) {
    SquareProduct<float> product(W, random);
    const Speed with = race(product, own, good, 1);
    const Speed without = race(product, own, bad, 1);
    for (const auto* speed : {&with, &without}) {
        if (!speed->outcome.problem.empty()) {
            return fail(speed->outcome.problem.at(place));
        }
    }
    const double own_time = std::sqrt(with.outcome.first.median() * without.outcome.first.median());
    const double middle = std::sqrt(with.outcome.second.median() * without.outcome.second.median());
    const std::string text =
        fmt::format("judged by time, as a GPU has no counters here: W={}: {:.4g} ms; with {} {:.4g} ms, without {:.4g} ms", W, own_time,
                    technique, with.outcome.second.median(), without.outcome.second.median());
    record_measurement(text, with.times);
    expect(own_time <= middle, Message(fmt::format("{}: your kernel is as slow as one without {}", fault, technique), {text}).at(place));
}

}  // namespace lab::grading
