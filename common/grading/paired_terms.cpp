#include "common/grading/paired_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/grading/term_weights.h"

namespace lab::grading {
namespace {

constexpr std::size_t max_inner = 64;  // the least-squares solution takes cubic time
constexpr std::size_t max_lines = 8;   // columns of N, or rows of M, that are solved for

// One factor, the other being known: `lines` of it, each with an element for every k.
struct Unknown {
    bool is_left = false;
    std::vector<std::vector<double>> solved, own;
};

// The factor that gives the output with the other one.
std::optional<Unknown> solve_for(bool is_left, const Shape& shape, const Factors& factors, const std::vector<double>& output) {
    const std::size_t inner = factors.inner;
    const std::size_t equations = is_left ? shape.cols : shape.rows;
    const std::size_t lines = std::min(max_lines, is_left ? shape.rows : shape.cols);
    if (inner > max_inner || equations < inner) return std::nullopt;
    Unknown unknown{is_left, {}, {}};
    for (std::size_t line = 0; line < lines; ++line) {
        std::vector<WeightedSum> sums;
        std::vector<double> own;
        for (std::size_t at = 0; at < equations; ++at) {
            sums.push_back({std::vector<double>(inner), output[is_left ? line * shape.cols + at : at * shape.cols + line]});
            for (std::size_t k = 0; k < inner; ++k) {
                sums.back().terms[k] = is_left ? factors.N[k * factors.cols + at] : factors.M[at * inner + k];
            }
        }
        for (std::size_t k = 0; k < inner; ++k) own.push_back(is_left ? factors.M[line * inner + k] : factors.N[k * factors.cols + line]);
        const auto solution = least_squares(sums);
        if (!solution) return std::nullopt;
        unknown.solved.push_back(*solution);
        unknown.own.push_back(std::move(own));
    }
    return unknown;
}

// For each k the element of the unknown factor that was used; nothing if one was not found.
std::optional<std::vector<std::size_t>> elements_used(const Unknown& unknown, std::size_t inner) {
    constexpr double near = 1e-2;  // relative to the largest element
    double largest = 0;
    for (const auto& line : unknown.own) {
        for (const double value : line) largest = std::max(largest, std::abs(value));
    }
    std::vector<std::size_t> used;
    for (std::size_t k = 0; k < inner; ++k) {
        std::size_t best = 0;
        double least = largest;
        for (std::size_t other = 0; other < inner; ++other) {
            double error = 0;
            for (std::size_t line = 0; line < unknown.own.size(); ++line) {
                error = std::max(error, std::abs(unknown.solved[line][k] - unknown.own[line][other]));
            }
            if (error < least) {
                least = error;
                best = other;
            }
        }
        if (least >= near * largest) return std::nullopt;
        used.push_back(best);
    }
    return used;
}

// The shortest period in which `used` repeats relative to k; all if it has none.
std::size_t period_of(const std::vector<std::size_t>& used) {
    for (std::size_t period = 1; 2 * period <= used.size(); ++period) {
        bool repeats = true;
        for (std::size_t k = period; k < used.size() && repeats; ++k) repeats = used[k] == used[k - period] + period;
        if (repeats) return period;
    }
    return used.size();
}

double sum_of_pairs(const Factors& factors, const Sample& one, bool is_left, const std::vector<std::size_t>& used) {
    double sum = 0;
    for (std::size_t k = 0; k < factors.inner; ++k) {
        sum += factors.M[one.row * factors.inner + (is_left ? used[k] : k)] * factors.N[(is_left ? k : used[k]) * factors.cols + one.col];
    }
    return sum;
}

}  // namespace

std::string terms_paired_otherwise(const Shape& shape, const Factors& factors, const Explained& samples,
                                   const std::vector<double>& output) {
    for (const bool is_left : {false, true}) {
        const auto unknown = solve_for(is_left, shape, factors, output);
        const auto used = unknown ? elements_used(*unknown, factors.inner) : std::nullopt;
        const auto predict = [&](const Sample& one) { return std::optional(sum_of_pairs(factors, one, is_left, *used)); };
        if (!used || !explains(samples, 2, predict)) continue;
        std::size_t k = 0;
        while (k < factors.inner && (*used)[k] == k) ++k;
        if (k == factors.inner) continue;
        const std::size_t period = period_of(*used);
        const bool is_vector = shape.rows == 1;
        return fmt::format("{} {} of {} is multiplied by {} {} of {}{}: is k the same in both indices, in an unrolled loop, too?",
                           is_vector ? "element" : "column", is_left ? (*used)[k] : k, factors.left, is_vector ? "column" : "row",
                           is_left ? k : (*used)[k], factors.right,
                           period > 1 && period < factors.inner ? fmt::format(", and so on in every {}", period) : "");
    }
    return "";
}

}  // namespace lab::grading
