// Only in lab 1's reference runner: the slow loop orders, which jump through memory in the innermost loop.
#include <cstddef>

#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

void matvec_across(const float* A, const float* x, float* y, int rows, int cols) {
    for (int i = 0; i < rows; ++i) {
        float sum = 0;
        for (int j = 0; j < cols; ++j) {
            sum += A[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + i] * x[j];
        }
        y[i] = sum;
    }
}

void matmul_across(const float* M, const float* N, float* P, int rows, int inner, int cols) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            float sum = 0;
            for (int k = 0; k < inner; ++k) {
                sum += M[static_cast<std::size_t>(i) * static_cast<std::size_t>(inner) + k] *
                       N[static_cast<std::size_t>(k) * static_cast<std::size_t>(cols) + j];
            }
            P[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) + j] = sum;
        }
    }
}

const Register product("matmul_across", [](Invocation& invocation) {
    const auto* M = invocation.data<const float>("M");
    const auto* N = invocation.data<const float>("N");
    auto* P = invocation.data<float>("P");
    const int rows = invocation.integer("rows");
    const int inner = invocation.integer("inner");
    const int cols = invocation.integer("cols");
    invocation.call([=] {
        matmul_across(M, N, P, rows, inner, cols);
        return 0;
    });
});

const Register across("matvec_across", [](Invocation& invocation) {
    const auto* A = invocation.data<const float>("A");
    const auto* x = invocation.data<const float>("x");
    auto* y = invocation.data<float>("y");
    const int rows = invocation.integer("rows");
    const int cols = invocation.integer("cols");
    invocation.call([=] {
        matvec_across(A, x, y, rows, cols);
        return 0;
    });
});

}  // namespace
}  // namespace lab::runner
