// Problems of lab 4: y = A x with A column-major, and C = A B of any shape, with inputs and expected results.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/grading/call.h"
#include "common/grading/cpu_baseline.h"
#include "common/grading/findings.h"
#include "common/grading/points.h"
#include "common/grading/shapes.h"
#include "tests/labs/lab4_host_code.h"
#include "tests/labs/speed.h"

namespace lab::grading {

using Lab4 = GradedTest;

// Enough for a wasteful kernel, few enough for an infinite one to end while its student still watches.
[[nodiscard]] inline std::uint64_t patience(double products) { return static_cast<std::uint64_t>(std::min(5e6 + 200 * products, 1e9)); }

struct Matvec {
    MatvecSize of;
    std::vector<float> A, x;
    Expected y;

    Matvec(const MatvecSize& size, Random& random)
        : of(size),
          A(random.values<float>(static_cast<std::size_t>(size.rows) * size.cols)),
          x(random.values<float>(size.cols)),
          y(expect_matvec(A, x, size.rows, size.cols, size.cols)) {}

    // Twice the result, with the other sign: exact in floats, and never what was there before.
    void rotate() {
        for (float& value : x) value *= -2;
        for (double& value : y.value) value *= -2;
        for (double& value : y.bound) value *= 2;
        y.factors.reset();
    }
    [[nodiscard]] Call call(const std::string& function, Random& random) const {
        Call call(function);
        call.integer("rows", of.rows).integer("cols", of.cols).integer("block", of.block);
        call.input("A", A).input("x", x).output<float>("y", y.value.size(), random);
        call.backend().max_instructions = patience(static_cast<double>(of.rows) * of.cols);
        return call;
    }
    [[nodiscard]] Shape shape() const { return {"y", 1, y.value.size(), true}; }
    [[nodiscard]] Message judge(const Result& result, const Call& call, Care care = Care::result) const {
        Shape asked = shape();
        asked.in_constants = call.function() == "matvec_constant" ? "x" : "";
        return explained_by_host_code(judge_output<float>(result, asked, y, call, care), result, call, of);
    }
    [[nodiscard]] const Expected& expected() const { return y; }
    [[nodiscard]] bool in_blocks(const std::string& function) const {
        return function == "matvec_static" || function == "matvec_dynamic" || function == "matvec_any";
    }
    // "17 x 3 in blocks of 16"
    [[nodiscard]] std::string words(const std::string& function) const {
        return size() + (in_blocks(function) ? fmt::format(" in blocks of {}", of.block) : "");
    }

    [[nodiscard]] std::string size() const { return fmt::format("{} x {}", of.rows, of.cols); }
    [[nodiscard]] std::string rate(double ms) const { return fmt::format("{:.4g} GB/s", 4e-6 * static_cast<double>(A.size()) / ms); }
    [[nodiscard]] double cpu_ms() const { return cpu_matvec_ms(of.rows, of.cols); }
    [[nodiscard]] double traffic(const Result& result) const {
        return count(result, &Counters::global_load, &MemoryCounts::bytes) / sizeof(float) / static_cast<double>(A.size());
    }
    [[nodiscard]] std::string traffic_name() const { return "loads from global memory for each element of A"; }
};

struct Matmul {
    MatmulSize of;
    std::vector<float> A, B;
    Expected C;

    Matmul(const MatmulSize& size, Random& random)
        : of(size),
          A(random.values<float>(static_cast<std::size_t>(size.m) * size.k)),
          B(random.values<float>(static_cast<std::size_t>(size.k) * size.n)),
          C(expect_product(A, B, size.m, size.k, size.n, {"A", "B"})) {}

    // All rows of A and of C moved up by one.
    void rotate() {
        const auto up = [&](auto& all, int row) { std::rotate(all.begin(), all.begin() + row, all.end()); };
        up(A, of.k);
        up(C.value, of.n);
        up(C.bound, of.n);
        C.factors.reset();
    }
    [[nodiscard]] Call call(const std::string& function, Random& random) const {
        Call call(function);
        call.integer("m", of.m).integer("n", of.n).integer("k", of.k);
        call.input("A", A).input("B", B).output<float>("C", C.value.size(), random);
        call.backend().max_instructions = patience(static_cast<double>(of.m) * of.n * of.k);
        return call;
    }
    [[nodiscard]] Shape shape() const { return {"C", static_cast<std::size_t>(of.m), static_cast<std::size_t>(of.n), true, true}; }
    [[nodiscard]] Message judge(const Result& result, const Call& call, Care care = Care::result) const {
        Shape asked = shape();
        asked.in_constants = call.function() == "matmul_constant" ? "A" : "";
        return explained_by_host_code(judge_output<float>(result, asked, C, call, care), result, call, of);
    }
    [[nodiscard]] const Expected& expected() const { return C; }
    [[nodiscard]] std::string words(const std::string& /*function*/) const { return size(); }

    [[nodiscard]] std::string size() const { return fmt::format("m={} n={} k={}", of.m, of.n, of.k); }
    [[nodiscard]] std::string rate(double ms) const { return fmt::format("{:.4g} GFLOP/s", 2e-6 * of.m * of.n * of.k / ms); }
    [[nodiscard]] double traffic(const Result& result) const {
        return count(result, &Counters::global_load, &MemoryCounts::bytes) / sizeof(float) / (static_cast<double>(of.m) * of.n);
    }
    [[nodiscard]] std::string traffic_name() const { return "loads from global memory for each element of C"; }
};

template <typename Problem>
[[nodiscard]] std::string named(const std::string& function, const Problem& problem) {
    return function + " for " + problem.words(function);
}

// Adds the question about the bands of A that the copy to constant memory, which failed, suggests.
[[nodiscard]] inline Message ask_about_bands(Message message, const MatmulSize& size) {
    const Finding* const copy = message.findings.empty() ? nullptr : &message.findings.front();
    if (copy == nullptr || copy->kind != FindingKind::wrong_copy_size || copy->call != "cudaMemcpyToSymbol" || copy->locations.empty()) {
        return message;
    }
    const Location& end = copy->locations.front();
    const auto row = static_cast<std::uint64_t>(size.k) * sizeof(float);
    const bool is_whole_band = end.bytes == constant_floats * sizeof(float) / row * row;
    if (end.object.name == "A" && end.relation == Relation::crosses_end && is_whole_band) {
        message.what += ": has the last band fewer rows?";
    } else if (end.object.kind == ObjectKind::constant_variable && end.offset > 0) {
        message.what += ": does each band begin at byte 0?";
    } else if (end.object.kind == ObjectKind::constant_variable && end.bytes % row == 0) {
        message.what +=
            fmt::format(": these are {} rows of k = {} floats, and {} fit", end.bytes / row, size.k, constant_floats * sizeof(float) / row);
    }
    return message;
}

// Every size, each with fresh inputs. `judge` gets the problem and says what is wrong with the function's result.
// `several`: other functions are tried in the same test.
enum class Functions { one, several };
template <typename Problem, typename Size, typename Judge>
void try_sizes(Shapes& shapes, Functions functions, const std::string& function, const std::vector<Size>& sizes, Random& random,
               const Judge& judge) {
    for (const Size& size : sizes) {
        const Problem problem(size, random);
        const std::string place = named(function, problem);
        shapes.attempt(functions == Functions::one ? problem.words(function) : place, [&] {
            Message message = judge(problem);
            if constexpr (std::is_same_v<Problem, Matmul>) {
                message = ask_about_bands(std::move(message), problem.of);
            }
            return message.at(place);
        });
    }
}

template <typename Problem, typename Size>
void expect_right(const std::string& function, const std::vector<Size>& sizes) {
    Random random(function + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    Shapes shapes;
    try_sizes<Problem>(shapes, Functions::one, function, sizes, random, [&](const Problem& problem) {
        Call call = problem.call(function, random);
        return problem.judge(call.run(student()), call);
    });
    shapes.judge();
}

template <typename Problem>
[[nodiscard]] Candidate<Problem> candidate(Program& program, const std::string& function, Random& random) {
    return {&program, [=, &random](const Problem& problem) { return problem.call(function, random); }};
}

}  // namespace lab::grading
