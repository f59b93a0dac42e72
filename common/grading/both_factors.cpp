#include "common/grading/both_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/grading/term_weights.h"

namespace lab::grading {
namespace {

// Sum of the products that a thread forms of what it loads itself, in tiles of `side`; places past an edge hold 0.
double own_products(const Factors& factors, const Sample& one, std::size_t side) {
    double sum = 0;
    for (std::size_t start = 0; start < factors.inner; start += side) {
        const std::size_t M_col = start + one.col % side;
        const std::size_t N_row = start + one.row % side;
        if (M_col < factors.inner && N_row < factors.inner) {
            sum += factors.M[one.row * factors.inner + M_col] * factors.N[N_row * factors.cols + one.col];
        }
    }
    return sum;
}

// Product of the tiles of `side` of both factors that lie where the element's own tile lies; none outside of a factor.
std::optional<double> own_tiles(const Factors& factors, const Sample& one, std::size_t side) {
    const std::size_t M_first = one.col / side * side, N_first = one.row / side * side;
    if (std::max(M_first, N_first) + side > factors.inner) return {};
    double sum = 0;
    for (std::size_t k = 0; k < side; ++k)
        sum += factors.M[one.row * factors.inner + M_first + k] * factors.N[(N_first + k) * factors.cols + one.col];
    return sum;
}

// Indices with the matrix's own pitch, that of all candidates.
std::vector<Index> pairable(const Index& right, const std::vector<std::size_t>& tiles) {
    std::vector<Index> all = other_indices(right, {Variable::row, Variable::col, Variable::k}, tiles_of(tiles, false), {right.pitch});
    const auto is_constant = [](const Index& index) { return index.high == Coordinate{} || index.low == Coordinate{}; };
    all.erase(std::remove_if(all.begin(), all.end(), is_constant), all.end());
    return all;
}

// The elements of a matrix that one sum takes by each index; only those before one that lies outside.
std::vector<std::vector<double>> terms_of(const std::vector<double>& matrix, std::size_t inner, const Sample& one,
                                          const std::vector<Index>& indices) {
    std::vector<std::vector<double>> all;
    for (const Index& index : indices) {
        std::vector<double>& terms = all.emplace_back();
        for (std::size_t k = 0, at = 0; k < inner && (at = index.at({one.row, one.col, k})) < matrix.size(); ++k) {
            terms.push_back(matrix[at]);
        }
    }
    return all;
}

}  // namespace

std::optional<double> sum_at(const Factors& factors, const Sample& one, const Index& left, const Index& right) {
    double sum = 0;
    for (std::size_t k = 0; k < factors.inner; ++k) {
        const Position position{one.row, one.col, k};
        const std::size_t m = left.at(position);
        const std::size_t n = right.at(position);
        if (m >= factors.M.size() || n >= factors.N.size()) {
            return {};
        }
        sum += factors.M[m] * factors.N[n];
    }
    return sum;
}

std::string own_elements_only(const Shape& shape, const Factors& factors, const Explained& samples, const std::vector<std::size_t>& tiles) {
    std::size_t candidates = 0;
    for (const std::size_t side : tiles) {
        const auto of_own_tiles = [&](const Sample& one) { return own_tiles(factors, one, side); };
        if (side > 1 && shape.rows > 1 && explains(samples, ++candidates, of_own_tiles)) {
            return fmt::format(
                "each tile of {} is the product of the tiles of {} and {} at its own place: is the loop over the tiles missing?",
                shape.name, factors.left, factors.right);
        }
        for (const std::size_t times : {std::size_t{1}, side}) {
            ++candidates;
            const auto predict = [&](const Sample& one) {
                return std::optional(static_cast<double>(times) * own_products(factors, one, side));
            };
            if (side > 1 && shape.rows > 1 && explains(samples, candidates, predict)) {
                return fmt::format(
                    "each element of {} holds only products of the two elements that its own thread loads into the tiles{}: {}", shape.name,
                    times == 1 ? "" : fmt::format(", {} times each", times),
                    times == 1 ? "is the loop over k in the tiles missing?" : "is k missing in the indices of the tiles?");
            }
        }
    }
    return "";
}

std::string both_indices(const Shape& shape, const Factors& factors, const Explained& samples, const std::vector<std::size_t>& tiles) {
    constexpr std::size_t max_terms = 160;
    constexpr std::size_t max_rank_sum = 1200;
    if (shape.rows == 1 || factors.inner > max_terms || samples.wrong.empty()) {
        return "";
    }
    const Index right_left{by_row, by_k, factors.inner, {}};
    const Index right_right{by_k, by_col, factors.cols, {}};
    const std::vector<Index> lefts = pairable(right_left, tiles);
    const std::vector<Index> rights = pairable(right_right, tiles);
    const Sample& first = samples.wrong.front();
    const auto left_terms = terms_of(factors.M, factors.inner, first, lefts);
    const auto right_terms = terms_of(factors.N, factors.inner, first, rights);
    std::size_t candidates = 0;
    // The likely pairs first: candidates of each factor are ranked.
    for (std::size_t rank_sum = 0; rank_sum < max_rank_sum; ++rank_sum) {
        for (std::size_t i = 0; i <= rank_sum && i < lefts.size(); ++i) {
            const std::size_t j = rank_sum - i;
            const bool is_pair =
                j < rights.size() && (lefts[i].tile.outer == rights[j].tile.outer || lefts[i].tile.outer == 1 || rights[j].tile.outer == 1);
            if (!is_pair) {
                continue;
            }
            ++candidates;
            // Nearly all pairs fail at the first sample. Its sum is rounded in another order here.
            const auto& left = left_terms[i];
            const double sum = left.size() != right_terms[j].size()
                                   ? std::nan("")
                                   : std::transform_reduce(left.begin(), left.end(), right_terms[j].begin(), 0.0);
            const auto predict = [&](const Sample& one) { return sum_at(factors, one, lefts[i], rights[j]); };
            if (!(std::abs(sum - first.got) <= 2 * samples.slack) || !explains(samples, candidates, predict)) {
                continue;
            }
            const bool are_exchanged = lefts[i].high == by_k && lefts[i].low == by_row && rights[j].high == by_col && rights[j].low == by_k;
            return fmt::format("{}[row * {} + col] was made from {}[{}] and {}[{}] instead of {}[{}] and {}[{}]{}", shape.name, shape.cols,
                               factors.left, lefts[i].text(), factors.right, rights[j].text(), factors.left, right_left.text(),
                               factors.right, right_right.text(), are_exchanged ? ": row and column of both are exchanged" : "");
        }
    }
    return "";
}

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
