#include "common/grading/other_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lab::grading {
namespace {

constexpr std::size_t least_checked = 8;   // fewer could agree with a mistake by chance
constexpr std::size_t most_checked = 256;  // more would only take time

// Some of the wrong elements, spread over all of them, with what they hold.
struct Sample {
    std::size_t row, col;
    double got;
};

template <typename T>
std::vector<Sample> samples_of(const Wrong<T>& seen) {
    std::vector<Sample> samples;
    const std::size_t step = (seen.count + most_checked - 1) / most_checked;
    std::size_t nth = 0;
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (seen.wrong[at] && nth++ % step == 0) {
            samples.push_back({at / seen.shape.cols, at % seen.shape.cols, static_cast<double>(seen.got[at])});
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

// Terms that are missing at one end of each sum.
std::string some_terms(const std::string& name, const Factors& factors, const std::vector<Sample>& samples, double slack) {
    const Sample& example = samples.front();
    const double whole = terms(factors, example, 0, factors.inner);
    double sum = 0;
    for (std::size_t cut = 1; cut < factors.inner; ++cut) {
        sum += term(factors, example, cut - 1);
        for (const auto& [first, last, value] : {std::tuple{std::size_t{0}, cut, sum}, std::tuple{cut, factors.inner, whole - sum}}) {
            if (std::abs(value - example.got) <= slack && hold_terms(factors, samples, first, last, slack)) {
                const std::string which =
                    last - first == 1 ? fmt::format("term k = {}", first) : fmt::format("terms k = {} to {}", first, last - 1);
                return fmt::format("{} holds only the {} of {}: {}", name, which, factors.inner,
                                   first == 0 ? "does the loop over k end too early?" : "is the sum set to 0 again on the way?");
            }
        }
    }
    return "";
}

// Terms that were added a second time.
std::string terms_again(const std::string& name, const Factors& factors, const std::vector<Sample>& samples, double slack) {
    constexpr std::size_t most_terms = 512;  // all stretches of them are tried
    if (factors.inner > most_terms) {
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
                return fmt::format("{} holds the terms k = {} to {} twice: does a tile still hold what it held before?", name, first,
                                   last - 1);
            }
        }
    }
    return "";
}

// A square matrix, perhaps read across.
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

// Of square matrices, which can be mistaken for one another.
std::string mistaken_factors(const std::string& name, const Factors& factors, const std::vector<Sample>& samples, double slack) {
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
        if (hold_product(mistake.left, mistake.right, samples, slack)) {
            return fmt::format("{} is {}", name, mistake.text);
        }
    }
    return "";
}

}  // namespace

template <typename T>
std::string other_product(const Wrong<T>& seen) {
    if (seen.expected.factors == nullptr || seen.count < least_checked) {
        return "";
    }
    const Factors& factors = *seen.expected.factors;
    const auto samples = samples_of(seen);
    // The other product's magnitudes are not the right one's.
    const double slack = 2 * *std::max_element(seen.expected.bound.begin(), seen.expected.bound.end());
    const bool square = factors.inner == factors.cols && factors.inner == seen.shape.rows;
    auto text = some_terms(seen.shape.name, factors, samples, slack);
    text = text.empty() ? terms_again(seen.shape.name, factors, samples, slack) : text;
    return text.empty() && square ? mistaken_factors(seen.shape.name, factors, samples, slack) : text;
}

template std::string other_product(const Wrong<float>&);
template std::string other_product(const Wrong<double>&);

}  // namespace lab::grading
