#include "common/grading/reference.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace lab::grading {
namespace {

template <typename Body>
void on_all_cores(std::size_t count, const Body& body) {
    const std::size_t workers = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
    const std::size_t share = (count + workers - 1) / workers;
    std::vector<std::thread> threads;
    for (std::size_t first = 0; first < count; first += share) {
        threads.emplace_back([&body, first, last = std::min(count, first + share)] { body(first, last); });
    }
    for (auto& thread : threads) {
        thread.join();
    }
}

// Rows [first, last) of the product, four at a time: each row of N that is loaded serves four.
void product_rows(const std::vector<double>& M, const std::vector<double>& N, std::vector<double>& P, std::size_t inner, std::size_t cols,
                  std::size_t first, std::size_t last) {
    std::size_t i = first;
    for (; i + 4 <= last; i += 4) {
        double* p = &P[i * cols];
        for (std::size_t k = 0; k < inner; ++k) {
            const double* n = &N[k * cols];
            const double a = M[i * inner + k];
            const double b = M[(i + 1) * inner + k];
            const double c = M[(i + 2) * inner + k];
            const double d = M[(i + 3) * inner + k];
            for (std::size_t j = 0; j < cols; ++j) {
                p[j] += a * n[j];
                p[cols + j] += b * n[j];
                p[2 * cols + j] += c * n[j];
                p[3 * cols + j] += d * n[j];
            }
        }
    }
    for (; i < last; ++i) {
        for (std::size_t k = 0; k < inner; ++k) {
            for (std::size_t j = 0; j < cols; ++j) {
                P[i * cols + j] += M[i * inner + k] * N[k * cols + j];
            }
        }
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
    on_all_cores(rows,
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
    // The reference itself is off by gamma in float64: nothing beside float, but as much again for double.
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
    // Columns that repeat are added up by the sum of their x; magnitudes likewise.
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
    return {{out.begin(), out.end()}, std::vector<double>(out.size())};
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
