#include "common/grading/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <thread>

namespace lab::grading {
namespace {

// Runs `body` on [0, count), divided among threads. `work`: total multiplications; starting threads doesn't pay for few of them.
template <typename Body>
void on_all_cores(std::size_t count, std::size_t work, const Body& body) {
    constexpr std::size_t worth_a_thread = 1'000'000;
    const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
    const std::size_t workers = std::clamp<std::size_t>(work / worth_a_thread, 1, most);
    if (workers == 1) {
        return body(std::size_t{0}, count);
    }
    const std::size_t share = (count + workers - 1) / workers;
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < count; first += share) {
        const std::size_t last = std::min(count, first + share);
        try {
            threads.emplace_back([&body, first, last] { body(first, last); });
        } catch (const std::system_error&) {  // the system can't start more
            body(first, last);
        }
    }
}

// `height` x `width` elements of the product from (row, column) on. Their sums stay in registers, in the order of k.
template <std::size_t height, std::size_t width>
void product_tile(const double* M, const double* N, double* P, std::size_t inner, std::size_t cols) {
    std::array<std::array<double, width>, height> sums{};
    for (std::size_t k = 0; k < inner; ++k) {
        for (std::size_t i = 0; i < height; ++i) {
            for (std::size_t j = 0; j < width; ++j) {
                sums[i][j] += M[i * inner + k] * N[k * cols + j];
            }
        }
    }
    for (std::size_t i = 0; i < height; ++i) {
        std::copy(sums[i].begin(), sums[i].end(), P + i * cols);
    }
}

// Rows [first, last) of the product, in panels of columns: a panel of N stays in the cache while all rows use it.
void product_rows(const std::vector<double>& M, const std::vector<double>& N, std::vector<double>& P, std::size_t inner, std::size_t cols,
                  std::size_t first, std::size_t last) {
    constexpr std::size_t height = 4;
    constexpr std::size_t width = 32;
    const auto rows_of = [&]<std::size_t panel>(std::size_t column) {
        std::size_t i = first;
        for (; i + height <= last; i += height) {
            product_tile<height, panel>(&M[i * inner], &N[column], &P[i * cols + column], inner, cols);
        }
        for (; i < last; ++i) {
            product_tile<1, panel>(&M[i * inner], &N[column], &P[i * cols + column], inner, cols);
        }
    };
    std::size_t column = 0;
    for (; column + width <= cols; column += width) {
        rows_of.template operator()<width>(column);
    }
    for (; column < cols; ++column) {
        rows_of.template operator()<1>(column);
    }
}

}  // namespace

double gamma(std::size_t n, double unit_roundoff) {
    const double nu = static_cast<double>(n) * unit_roundoff;
    return nu / (1 - nu);
}

template <typename T>
Expected expect_product(const std::vector<T>& M, const std::vector<T>& N, std::size_t rows, std::size_t inner, std::size_t cols,
                        const std::pair<std::string, std::string>& names) {
    const auto factors = std::make_shared<const Factors>(
        Factors{std::vector<double>(M.begin(), M.end()), std::vector<double>(N.begin(), N.end()), inner, cols, names.first, names.second});
    const auto& wide_M = factors->M;
    const auto& wide_N = factors->N;
    Expected expected{std::vector<double>(rows * cols), std::vector<double>(rows * cols), factors};
    on_all_cores(rows, rows * inner * cols,
                 [&](std::size_t first, std::size_t last) { product_rows(wide_M, wide_N, expected.value, inner, cols, first, last); });

    std::vector<double> row_norm(rows);
    std::vector<double> column_norm(cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < inner; ++k) {
            row_norm[i] += wide_M[i * inner + k] * wide_M[i * inner + k];
        }
        row_norm[i] = std::sqrt(row_norm[i]);
    }
    for (std::size_t k = 0; k < inner; ++k) {
        for (std::size_t j = 0; j < cols; ++j) {
            column_norm[j] += wide_N[k * cols + j] * wide_N[k * cols + j];
        }
    }
    for (auto& norm : column_norm) {
        norm = std::sqrt(norm);
    }
    // The reference itself is off by gamma in float64: negligible for float, but doubles the bound for double.
    const double factor = gamma(inner, unit_roundoff<T>()) + gamma(inner, unit_roundoff<double>());
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
            expected.bound[i * cols + j] = factor * row_norm[i] * column_norm[j];
        }
    }
    return expected;
}

template <typename T>
Expected expect_matvec(const std::vector<T>& A, const std::vector<T>& x, std::size_t rows, std::size_t cols, std::size_t period) {
    Expected expected{std::vector<double>(rows), std::vector<double>(rows)};
    constexpr std::size_t max_looked_at = 100'000;
    if (period == cols && A.size() <= max_looked_at) {
        // As a row of y: x times the matrix whose rows are A's columns, in memory order.
        expected.factors = std::make_shared<const Factors>(Factors{{x.begin(), x.end()}, {A.begin(), A.end()}, cols, rows, "x", "A"});
    }
    // Repeated columns are weighted by the sum of their x; magnitudes likewise.
    std::vector<double> weight(period);
    std::vector<double> magnitude(period);
    for (std::size_t j = 0; j < cols; ++j) {
        weight[j % period] += static_cast<double>(x[j]);
        magnitude[j % period] += std::abs(static_cast<double>(x[j]));
    }
    for (std::size_t j = 0; j < period; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
            const auto a = static_cast<double>(A[j * rows + i]);
            expected.value[i] += a * weight[j];
            expected.bound[i] += std::abs(a) * magnitude[j];
        }
    }
    const double factor = gamma(cols, unit_roundoff<T>()) + gamma(cols, unit_roundoff<double>());
    for (auto& bound : expected.bound) {
        bound *= factor;
    }
    return expected;
}

template <typename T>
Expected expect_transpose(const std::vector<T>& in, std::size_t rows, std::size_t cols) {
    const std::vector<T> out = transposed(in, rows, cols);
    return {{out.begin(), out.end()},
            std::vector<double>(out.size()),
            nullptr,
            std::make_shared<const Source>(Source{"in", {in.begin(), in.end()}, cols})};
}

template <typename T>
std::vector<T> transposed(const std::vector<T>& in, std::size_t rows, std::size_t cols) {
    constexpr std::size_t tile = 16;  // elements a side, so that the cache lines of its columns stay in the cache until they are full
    std::vector<T> out(in.size());
    for (std::size_t top = 0; top < rows; top += tile) {
        for (std::size_t left = 0; left < cols; left += tile) {
            for (std::size_t i = top; i < std::min(rows, top + tile); ++i) {
                for (std::size_t j = left; j < std::min(cols, left + tile); ++j) out[j * rows + i] = in[i * cols + j];
            }
        }
    }
    return out;
}

template Expected expect_product(const std::vector<float>&, const std::vector<float>&, std::size_t, std::size_t, std::size_t,
                                 const std::pair<std::string, std::string>&);
template Expected expect_product(const std::vector<double>&, const std::vector<double>&, std::size_t, std::size_t, std::size_t,
                                 const std::pair<std::string, std::string>&);
template Expected expect_matvec(const std::vector<float>&, const std::vector<float>&, std::size_t, std::size_t, std::size_t);
template Expected expect_matvec(const std::vector<double>&, const std::vector<double>&, std::size_t, std::size_t, std::size_t);
template Expected expect_transpose(const std::vector<float>&, std::size_t, std::size_t);
template Expected expect_transpose(const std::vector<double>&, std::size_t, std::size_t);
template std::vector<float> transposed(const std::vector<float>&, std::size_t, std::size_t);
template std::vector<double> transposed(const std::vector<double>&, std::size_t, std::size_t);

}  // namespace lab::grading
