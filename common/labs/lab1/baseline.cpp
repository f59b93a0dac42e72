// Only in lab 1's reference runner: matvec in the slow loop order, which walks across the columns of a column-major matrix.
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
