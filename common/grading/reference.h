// Expected results in float64, each with the error bound of any correct order of summation.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/diagnosis/expected.h"

namespace lab::grading {

using namespace diagnosis;  // a suite speaks of both

// A sum of n products in a precision with unit roundoff u, in any order, fused or not, is off by at most
// gamma_n * sum |a_k b_k|, gamma_n = n u / (1 - n u)  (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
// The sum of magnitudes is itself bounded by the two vectors' 2-norms (Cauchy-Schwarz), which costs no second product.
[[nodiscard]] double gamma(std::size_t n, double unit_roundoff);
template <typename T>
[[nodiscard]] constexpr double unit_roundoff() {
    return sizeof(T) == 8 ? 0x1p-53 : 0x1p-24;
}

// P = M N; M: rows x inner, N: inner x cols. `names`: names of M and N in the student's code.
template <typename T>
[[nodiscard]] Expected expect_product(const std::vector<T>& M, const std::vector<T>& N, std::size_t rows, std::size_t inner,
                                      std::size_t cols, const std::pair<std::string, std::string>& names = {"M", "N"});

// y = A x; A: rows x cols, column-major; columns repeat with the given period (cols: no repetition). Its factors are x and A.
template <typename T>
[[nodiscard]] Expected expect_matvec(const std::vector<T>& A, const std::vector<T>& x, std::size_t rows, std::size_t cols,
                                     std::size_t period);

// `in` transposed: rows x cols elements, row-major, become cols x rows.
template <typename T>
[[nodiscard]] std::vector<T> transposed(const std::vector<T>& in, std::size_t rows, std::size_t cols);

// The same with bounds of 0.
template <typename T>
[[nodiscard]] Expected expect_transpose(const std::vector<T>& in, std::size_t rows, std::size_t cols);

}  // namespace lab::grading
