#include "common/grading/term_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace lab::grading {
namespace {

constexpr std::size_t max_terms = 128;  // the normal equations take cubic time in it
constexpr int max_weight = 9;

// Solves the symmetric system A x = b by Gaussian elimination with partial pivoting; none if A is singular.
std::optional<std::vector<double>> solve(std::vector<std::vector<double>> A, std::vector<double> b) {
    const std::size_t count = b.size();
    for (std::size_t step = 0; step < count; ++step) {
        std::size_t pivot = step;
        for (std::size_t row = step + 1; row < count; ++row) {
            if (std::abs(A[row][step]) > std::abs(A[pivot][step])) pivot = row;
        }
        if (std::abs(A[pivot][step]) < 1e-12) return {};
        std::swap(A[step], A[pivot]);
        std::swap(b[step], b[pivot]);
        for (std::size_t row = step + 1; row < count; ++row) {
            const double factor = A[row][step] / A[step][step];
            for (std::size_t col = step; col < count; ++col) A[row][col] -= factor * A[step][col];
            b[row] -= factor * b[step];
        }
    }
    std::vector<double> x(count);
    for (std::size_t row = count; row-- > 0;) {
        double rest = b[row];
        for (std::size_t col = row + 1; col < count; ++col) rest -= A[row][col] * x[col];
        x[row] = rest / A[row][row];
    }
    return x;
}

// Weights that fit the sums best; none if they are not determined. At least as many sums as terms.
std::optional<std::vector<double>> least_squares(const std::vector<WeightedSum>& sums) {
    const std::size_t count = sums.front().terms.size();
    std::vector<std::vector<double>> A(count, std::vector<double>(count));
    std::vector<double> b(count);
    for (const WeightedSum& sum : sums) {
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < count; ++j) A[i][j] += sum.terms[i] * sum.terms[j];
            b[i] += sum.terms[i] * sum.value;
        }
    }
    return solve(std::move(A), std::move(b));
}

std::string times(int weight) { return weight == 0 ? "never" : weight == 2 ? "twice" : fmt::format("held {} times", weight); }

// Indices as ranges: "3, 7 to 9"; the first few of many.
std::string ranges(const std::vector<std::size_t>& indices) {
    constexpr std::size_t max_named = 4;
    std::vector<std::string> named;
    std::size_t left_out = 0;
    for (std::size_t begin = 0; begin < indices.size();) {
        std::size_t end = begin + 1;
        while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
        if (named.size() == max_named) {
            left_out += end - begin;
        } else {
            named.push_back(end - begin == 1 ? fmt::format("{}", indices[begin])
                                             : fmt::format("{} to {}", indices[begin], indices[end - 1]));
        }
        begin = end;
    }
    return fmt::format("{}{}", fmt::join(named, ", "), left_out == 0 ? "" : fmt::format(" and {} more", left_out));
}

}  // namespace

std::optional<std::vector<int>> term_weights(const std::vector<WeightedSum>& sums, double slack) {
    constexpr std::size_t sums_to_spare = 8;
    const std::size_t count = sums.empty() ? 0 : sums.front().terms.size();
    if (count == 0 || count > max_terms || sums.size() < count + sums_to_spare) return {};
    const auto solution = least_squares(sums);
    if (!solution) return {};
    std::vector<int> weights;
    for (const double weight : *solution) {
        if (!(weight > -0.5 && weight < max_weight + 0.5)) return {};
        weights.push_back(static_cast<int>(std::lround(weight)));
    }
    const bool fits = std::all_of(sums.begin(), sums.end(), [&](const WeightedSum& sum) {
        double value = 0;
        for (std::size_t k = 0; k < count; ++k) value += weights[k] * sum.terms[k];
        return std::abs(value - sum.value) <= slack;
    });
    return fits ? std::optional(weights) : std::nullopt;
}

std::string weights_in_words(const std::vector<int>& weights) {
    std::map<int, std::vector<std::size_t>, std::greater<>> by_weight;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        if (weights[k] != 1) by_weight[weights[k]].push_back(k);
    }
    std::vector<std::string> parts;
    for (const auto& [weight, indices] : by_weight) {
        parts.push_back(fmt::format("k = {} {}", ranges(indices), times(weight)));
    }
    return parts.empty() ? "" : fmt::format("the terms {}", fmt::join(parts, " and "));
}

std::string steps_in_words(const std::vector<int>& weights) {
    const std::size_t inner = weights.size();
    // The largest first: many small tiles in a row hold the same terms as a few large ones.
    for (std::size_t side = inner - 1; side > 1; --side) {
        const std::size_t steps = (inner + side - 1) / side;
        if ((inner % side != 0 || side > 32) && side != 8 && side != 16 && side != 32) continue;
        std::vector<int> held(inner);
        for (std::size_t step = 0; step < steps; ++step) {
            for (std::size_t k = step; k < std::min(inner, step + side); ++k) ++held[k];
        }
        if (held == weights) {
            return fmt::format("each tile of {} starts 1 after the one before: is the number of the step multiplied by the tile's side?",
                               side);
        }
    }
    return "";
}

namespace {

// Whether the first thread's sum holds that of each thread, after a reduction by halves.
std::vector<bool> held_after_halving(std::size_t threads) {
    std::vector<std::size_t> into(threads);  // the thread that holds each one's sum
    std::iota(into.begin(), into.end(), std::size_t{0});
    for (std::size_t half = threads / 2; half > 0; half /= 2) {
        for (std::size_t& thread : into) {
            thread = thread >= half && thread < 2 * half ? thread - half : thread;
        }
    }
    std::vector<bool> held;
    for (const std::size_t thread : into) {
        held.push_back(thread == 0);
    }
    return held;
}

}  // namespace

std::string dropped_by_halves(const Shape& shape, const Factors& factors, const Explained& samples, std::size_t threads) {
    constexpr std::size_t max_named = 4;
    const bool is_power_of_two = (threads & (threads - 1)) == 0;
    if (is_power_of_two || factors.inner <= threads) {
        return "";
    }
    const std::vector<bool> held = held_after_halving(threads);
    const auto sum_of_held = [&](const Sample& one) {
        double sum = 0;
        for (std::size_t k = 0; k < factors.inner; ++k) {
            sum += held[k % threads] ? factors.M[one.row * factors.inner + k] * factors.N[k * factors.cols + one.col] : 0;
        }
        return std::optional(sum);
    };
    if (!explains(samples, 1, sum_of_held)) {
        return "";
    }
    std::vector<std::size_t> dropped;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        if (!held[thread]) {
            dropped.push_back(thread);
        }
    }
    const std::size_t named = std::min(max_named, dropped.size());
    const std::string more = dropped.size() > named ? fmt::format(" and {} more", dropped.size() - named) : "";
    return fmt::format("{} lacks the terms k % {} = {}{}: does a sum by halves drop them, as {} is no power of two?", shape.name, threads,
                       fmt::join(dropped.begin(), dropped.begin() + static_cast<std::ptrdiff_t>(named), ", "), more, threads);
}

}  // namespace lab::grading
