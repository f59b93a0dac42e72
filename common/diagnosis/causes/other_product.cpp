#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "common/diagnosis/causes/index_guess.h"
#include "common/diagnosis/causes/sums.h"

namespace lab::diagnosis {

namespace {

constexpr std::size_t max_checked = 256;  // enough for a proof

// A sample of the elements, evenly spread, with their values.
std::vector<Sample> samples_of(const Wrong& seen, bool wrong) {
    std::vector<Sample> samples;
    const std::size_t count = wrong ? seen.count : seen.got.size() - seen.count;
    const std::size_t step = (count + max_checked - 1) / max_checked;
    std::size_t nth = 0;
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (seen.wrong[at] == wrong && nth++ % step == 0) {
            samples.push_back({at / seen.shape.cols, at % seen.shape.cols, seen.got[at]});
        }
    }
    return samples;
}

double term(const Factors& factors, const Sample& at, std::size_t k) {
    return factors.M[at.row * factors.inner + k] * factors.N[k * factors.cols + at.col];
}

double terms(const Factors& factors, const Sample& at, std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t k = first; k < last; ++k) {
        sum += term(factors, at, k);
    }
    return sum;
}

// Whether all samples hold the terms [first, last) and no others.
bool hold_terms(const Factors& factors, const std::vector<Sample>& samples, std::size_t first, std::size_t last, double slack) {
    return std::all_of(samples.begin(), samples.end(),
                       [&](const Sample& one) { return std::abs(terms(factors, one, first, last) - one.got) <= slack; });
}

constexpr const char* k_too_early = "does the loop over k end too early?";

// Reason why a sum has only the terms [first, last).
std::string why_only(const Shape& shape, const Factors& factors, std::size_t first, std::size_t last) {
    if (first == 0) {
        const bool is_quarter = last == factors.inner / sizeof(float) || last == factors.inner / sizeof(float) + 1;
        if (!shape.in_constants.empty() && is_quarter) {
            return fmt::format("is the size of {} copied in elements instead of bytes?", shape.in_constants);
        }
        if (last > 1 && (last == shape.rows || last == shape.cols)) {
            const char* const side = shape.rows == 1 ? "elements" : last == shape.rows ? "rows" : "columns";
            return fmt::format("does the loop over k end too early, or do {}'s {} {} bound it or a guard?", shape.name, last, side);
        }
        return k_too_early;
    }
    if (first == 1 && last > 2) {
        return "does the loop over k start at 1?";
    }
    if (last - first > 1 && 2 * (last - first) < last && last == factors.inner) {
        return "is the sum set to 0 again in each step?";
    }
    return last - first == 1 && last == factors.inner ? "does = stand where += should be, or is the sum set to 0 again on the way?"
                                                      : "is the sum set to 0 again on the way, or does the loop start too late?";
}

// Terms that are missing at one end of each sum.
Cause some_terms(const Shape& shape, const Factors& factors, const std::vector<Sample>& samples, double slack) {
    const Sample& example = samples.front();
    const double whole = terms(factors, example, 0, factors.inner);
    double sum = 0;
    for (std::size_t cut = 1; cut < factors.inner; ++cut) {
        sum += term(factors, example, cut - 1);
        for (const auto& [first, last, value] : {std::tuple{std::size_t{0}, cut, sum}, std::tuple{cut, factors.inner, whole - sum}}) {
            if (std::abs(value - example.got) <= slack && hold_terms(factors, samples, first, last, slack)) {
                const std::string which =
                    last - first == 1 ? fmt::format("term k = {}", first) : fmt::format("terms k = {} to {}", first, last - 1);
                const std::string what = fmt::format("{} holds only the {} of {}", shape.name, which, factors.inner);
                const std::string why = why_only(shape, factors, first, last);
                Cause cause{fmt::format("{}: {}", what, why), Proof::terms};
                if (first == 0 && why == k_too_early) {
                    cause.explanations = lacks_rest("term", last, factors.inner, what);
                    cause.explanations.push_back({"ends early", cause.text, true});
                }
                return cause;
            }
        }
    }
    return {};
}

// Cause of terms from k = first to last - 1 of `inner` that a sum holds twice.
std::string terms_twice(const std::string& array, std::size_t first, std::size_t last, std::size_t inner) {
    if (last - first > 1) {
        return fmt::format("{} holds the terms k = {} to {} twice: does a tile still hold what it held before?", array, first, last - 1);
    }
    const std::string said = fmt::format("{} holds the term k = {} twice: ", array, first);
    return last < inner ? said + "do two steps of the loop both add it?"
                        : said + "is an index past the edge limited to the last element, where 0 belongs, or a step too many taken?";
}

// Terms that were added twice.
std::string terms_again(const Shape& shape, const Sums& sums) {
    const Factors& factors = sums.factors;
    const std::vector<Sample>& samples = sums.explained.wrong;
    const double slack = sums.explained.slack;
    constexpr std::size_t max_terms = 512;  // all contiguous ranges are tried
    if (factors.inner > max_terms) {
        return "";
    }
    std::vector<double> up_to{0};
    for (std::size_t k = 0; k < factors.inner; ++k) {
        up_to.push_back(up_to.back() + term(factors, samples.front(), k));
    }
    const double surplus = samples.front().got - up_to.back();
    const auto explains_all = [&](std::size_t first, std::size_t last) {
        return std::all_of(samples.begin(), samples.end(), [&](const Sample& one) {
            return std::abs(terms(factors, one, 0, factors.inner) + terms(factors, one, first, last) - one.got) <= slack;
        });
    };
    for (std::size_t first = 0; first < factors.inner; ++first) {
        for (std::size_t last = first + 1; last <= factors.inner; ++last) {
            if (std::abs(up_to[last] - up_to[first] - surplus) <= slack && explains_all(first, last)) {
                return terms_twice(shape.name, first, last, factors.inner);
            }
        }
    }
    return "";
}

// Whether all samples hold the terms whose k % period is in [first, last), and no others.
bool hold_every(const Factors& factors, const std::vector<Sample>& samples, std::size_t period, std::size_t first, std::size_t last,
                double slack) {
    return std::all_of(samples.begin(), samples.end(), [&](const Sample& one) {
        double sum = 0;
        for (std::size_t k = 0; k < factors.inner; ++k) {
            sum += k % period >= first && k % period < last ? term(factors, one, k) : 0;
        }
        return std::abs(sum - one.got) <= slack;
    });
}

// Terms that are missing periodically.
// `launched`: of a kernel that gives each term of a tile to a thread, the threads along a side.
std::string terms_of_every(const Shape& shape, const Sums& sums, const Launched& launched) {
    const Factors& factors = sums.factors;
    const std::vector<Sample>& samples = sums.explained.wrong;
    const double slack = sums.explained.slack;
    constexpr std::size_t max_apart = 64;
    for (std::size_t period = 2; period <= max_apart && period < factors.inner; ++period) {
        std::vector<double> up_to(period + 1);
        for (std::size_t k = 0; k < factors.inner; ++k) {
            up_to[k % period + 1] += term(factors, samples.front(), k);
        }
        std::partial_sum(up_to.begin(), up_to.end(), up_to.begin());
        for (std::size_t first = 0; first < period; ++first) {
            for (std::size_t last = first + 1; last <= period; ++last) {
                if (last - first < period && std::abs(up_to[last] - up_to[first] - samples.front().got) <= slack &&
                    hold_every(factors, samples, period, first, last, slack)) {
                    const bool is_of_thread = last - first == 1 && (period == launched.block_x || period == launched.block_y);
                    const char* const why = first == 1 && last == period ? "does a loop over a tile start at 1?"
                                            : is_of_thread ? "are the sums of a block's other threads never added, or is a step too large?"
                                                           : "is a step too large, or are tiles left out?";
                    const std::string which =
                        last - first == 1 ? fmt::format("term k = {}", first) : fmt::format("terms k = {} to {}", first, last - 1);
                    return fmt::format("{} holds only the {} of every {}: {}", shape.name, which, period, why);
                }
            }
        }
    }
    return "";
}

// A square matrix, possibly transposed.
struct Operand {
    const std::vector<double>& values;
    std::size_t side;
    bool across;
    [[nodiscard]] double at(std::size_t row, std::size_t col) const { return across ? values[col * side + row] : values[row * side + col]; }
};

bool hold_product(const Operand& left, const Operand& right, const std::vector<Sample>& samples, double slack) {
    return std::all_of(samples.begin(), samples.end(), [&](const Sample& one) {
        double sum = 0;
        for (std::size_t k = 0; k < left.side; ++k) {
            sum += left.at(one.row, k) * right.at(k, one.col);
        }
        return std::abs(sum - one.got) <= slack;
    });
}

// For square matrices, which can be exchanged.
std::string mistaken_factors(const Shape& shape, const Sums& sums) {
    const Factors& factors = sums.factors;
    const std::size_t side = factors.inner;
    const Operand M{factors.M, side, false};
    const Operand N{factors.N, side, false};
    const Operand M_across{factors.M, side, true};
    const Operand N_across{factors.N, side, true};
    struct Mistake {
        const Operand& left;
        const Operand& right;
        std::string text;
    };
    const std::string& m = factors.left;
    const std::string& n = factors.right;
    const std::array mistakes{Mistake{M, M, fmt::format("{0} {0} instead of {0} {1}: is {0} read where {1} should be?", m, n)},
                              Mistake{N, N, fmt::format("{1} {1} instead of {0} {1}: is {1} read where {0} should be?", m, n)},
                              Mistake{N, M, fmt::format("{1} {0} instead of {0} {1}: are the two exchanged?", m, n)},
                              Mistake{M, N_across, fmt::format("{0} {1} with {1} transposed: are row and column of {1} exchanged?", m, n)},
                              Mistake{M_across, N, fmt::format("{0} {1} with {0} transposed: are row and column of {0} exchanged?", m, n)}};
    for (const auto& mistake : mistakes) {
        if (hold_product(mistake.left, mistake.right, sums.explained.wrong, sums.explained.slack)) {
            return fmt::format("{} is {}", shape.name, mistake.text);
        }
    }
    return "";
}

// The sum of the products at these indices; none if an index leads out of its matrix.
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

// The right indices of the two factors.
Index right_left(const Factors& factors, bool is_vector) { return {is_vector ? Coordinate{} : by_row, by_k, factors.inner, {}}; }
Index right_right(const Factors& factors) { return {by_k, by_col, factors.cols, {}}; }

// Whether all samples are the sums at these indices, and prove it. `candidates`: tried so far, this one included.
bool prove_sums(const Factors& factors, const Explained& samples, const Index& left, const Index& right, std::size_t candidates) {
    return explains(samples, candidates, [&](const Sample& one) { return sum_at(factors, one, left, right); });
}

// One factor read at a wrong index.
std::string other_index(const Wrong& seen, const Factors& factors, const Explained& samples) {
    constexpr std::size_t max_terms = 512;
    if (factors.inner > max_terms) {
        return "";
    }
    std::set<std::size_t> lengths{factors.inner, factors.cols, seen.shape.rows};
    lengths.insert(seen.tiles.begin(), seen.tiles.end());
    const std::vector<std::size_t> pitches(lengths.begin(), lengths.end());
    const bool is_vector = seen.shape.rows == 1;
    std::vector<Variable> variables{Variable::col, Variable::k};
    if (!is_vector) {
        variables.push_back(Variable::row);
    }
    const std::vector<Divisors> tiles = divisors_of(seen.tiles, false);
    const Index left = right_left(factors, is_vector);
    const Index right = right_right(factors);
    const std::string element = is_vector ? "[row]" : fmt::format("[row * {} + col]", seen.shape.cols);
    const auto say = [&](const std::string& array, const Index& wanted, const Index& used, const std::string& line) {
        return fmt::format("{}{} was made from {}[{}] instead of {}[{}]{}", seen.shape.name, element, array, used.text(is_vector), array,
                           wanted.text(is_vector), difference(wanted, used, array, line));
    };
    std::size_t candidates = 0;
    for (const Index& used : other_indices(right, variables, tiles, pitches)) {
        if (prove_sums(factors, samples, left, used, ++candidates)) {
            return say(factors.right, right, used, is_vector ? "column" : "row");
        }
    }
    for (const Index& used : other_indices(left, variables, tiles, pitches)) {
        if (prove_sums(factors, samples, used, right, ++candidates)) {
            return say(factors.left, left, used, "row");
        }
    }
    return "";
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

// "each tile of P is the product of the tiles of M and N at its own place: ..."; "" if the values prove no such mistake.
std::string tiles_at_own_place(const Shape& shape, const Sums& sums, const std::vector<std::size_t>& tiles) {
    const Factors& factors = sums.factors;
    std::size_t candidates = 0;
    for (const std::size_t side : tiles) {
        const auto of_own_tiles = [&](const Sample& one) { return own_tiles(factors, one, side); };
        if (side > 1 && shape.rows > 1 && explains(sums.explained, ++candidates, of_own_tiles)) {
            return fmt::format(
                "each tile of {} is the product of the tiles of {} and {} at its own place: is the loop over the tiles missing?",
                shape.name, factors.left, factors.right);
        }
    }
    return "";
}

// Whether sums of other terms can explain what was seen: none is infinite or not a number.
bool may_be_sums(const Wrong& seen) {
    return seen.expected.factors != nullptr && seen.count >= least_checked && seen.unwritten == 0 &&
           std::all_of(seen.got.begin(), seen.got.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

// The other sums' magnitudes differ from the right ones'. A wrong index affects all elements: it has to explain the right ones as well.
const Sums* sums_of(const Symptoms& seen) {
    return seen.sums([&]() -> std::shared_ptr<const Sums> {
        if (!may_be_sums(seen)) return nullptr;
        const double slack = 2 * *std::max_element(seen.expected.bound.begin(), seen.expected.bound.end());
        return std::make_shared<const Sums>(
            Sums{*seen.expected.factors, {samples_of(seen, true), samples_of(seen, false), slack, range_of(seen.expected.value)}});
    });
}

namespace {

// The cause that `find(shape, sums)` puts into words.
template <typename Find>
Cause of_sums(const Symptoms& seen, Proof proof, const Find& find) {
    const Sums* const sums = sums_of(seen);
    return sums == nullptr ? Cause{} : Cause{find(seen.shape, *sums), proof};
}

}  // namespace

Cause terms_left_out(const Symptoms& seen) {
    const Sums* const sums = sums_of(seen);
    return sums == nullptr ? Cause{} : some_terms(seen.shape, sums->factors, sums->explained.wrong, sums->explained.slack);
}

Cause terms_of_each_step_left_out(const Symptoms& seen) {
    return of_sums(seen, Proof::terms, [&](const Shape& shape, const Sums& sums) { return terms_of_every(shape, sums, seen.launched); });
}

Cause terms_twice(const Symptoms& seen) { return of_sums(seen, Proof::terms, terms_again); }

Cause other_factors(const Symptoms& seen) {
    return of_sums(seen, Proof::index, [](const Shape& shape, const Sums& sums) {
        const bool is_square = sums.factors.inner == sums.factors.cols && sums.factors.inner == shape.rows;
        return is_square ? mistaken_factors(shape, sums) : "";
    });
}

Cause index_of_factor(const Symptoms& seen) {
    return of_sums(seen, Proof::index, [&](const Shape&, const Sums& sums) { return other_index(seen, sums.factors, sums.explained); });
}

Cause own_tiles_only(const Symptoms& seen) {
    return of_sums(seen, Proof::index, [&](const Shape& shape, const Sums& sums) { return tiles_at_own_place(shape, sums, seen.tiles); });
}

}  // namespace lab::diagnosis
