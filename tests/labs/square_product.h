// Problems of labs 2 and 3: products of square matrices. speed.h judges their speed.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/grading/call.h"
#include "common/grading/cpu_baseline.h"
#include "common/grading/findings.h"
#include "common/grading/points.h"
#include "common/grading/shapes.h"
#include "tests/labs/speed.h"

namespace lab::grading {

// Counted in the emulator only, for a call that ended normally.
[[nodiscard]] inline double loads_an_element(const Result& result, int W) {
    return count(result, &Counters::global_load, &MemoryCounts::bytes) / sizeof(float) / (static_cast<double>(W) * W);
}

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
    // As the kernel `function` computes it.
    [[nodiscard]] Shape shape(const std::string& function) const {
        Shape shape{"P", rows(), rows(), true};
        shape.x_is_row = function == "matmul_global_x_rows";
        return shape;
    }
    // Other input with a known product, for the next round of a timing: all rows of M and of P moved up by one.
    void rotate() {
        const auto up = [&](auto& all) { std::rotate(all.begin(), all.begin() + W, all.end()); };
        up(M);
        up(P.value);
        up(P.bound);
        P.factors.reset();
    }
    [[nodiscard]] Message judge(const Result& result, const Call& call, Care care = Care::result) const {
        return judge_output<T>(result, shape(call.function()), P, call, care);
    }
    [[nodiscard]] std::string size() const { return fmt::format("W={}", W); }
    [[nodiscard]] std::string rate(double ms) const { return fmt::format("{:.4g} GFLOP/s", 2e-6 * std::pow(W, 3) / ms); }
    [[nodiscard]] double cpu_ms() const { return cpu_matmul_ms(W); }
    [[nodiscard]] double traffic(const Result& result) const { return loads_an_element(result, W); }
    [[nodiscard]] std::string traffic_name() const { return "loads from global memory for each element of P"; }
};

// A call with these matrices; the caller adds the kernel's other arguments.
template <typename T>
[[nodiscard]] Call call_with(const std::string& function, const SquareProduct<T>& product, Random& random) {
    Call call(function);
    call.integer("W", product.W).input("M", product.M).input("N", product.N).template output<T>("P", product.elements(), random);
    // Enough for a wasteful kernel, few enough for an infinite one to end while its student still watches.
    const auto wide = static_cast<std::uint64_t>(product.W);
    call.backend().max_instructions = std::min<std::uint64_t>(1'000'000 + 20 * wide * wide * wide, 1'000'000'000);
    return call;
}

template <typename T>
[[nodiscard]] Message judge_product(const Result& result, const SquareProduct<T>& product, const Call& call, Care care = Care::result) {
    return product.judge(result, call, care);
}

}  // namespace lab::grading
