#include "common/grading/both_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "common/grading/index_guess.h"

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

std::string own_elements_only(const Shape& shape, const Factors& factors, const Explained& samples, const std::vector<std::size_t>& tiles) {
    std::size_t candidates = 0;
    for (const std::size_t side : tiles) {
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

}  // namespace lab::grading
