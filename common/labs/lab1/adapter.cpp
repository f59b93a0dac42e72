// Lab 1's functions, in the form that the suite calls.
#include "common/api/lab1.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

template <typename T>
void call_matmul(Invocation& invocation, void (*matmul)(const T*, const T*, T*, int, int, int)) {
    const auto* M = invocation.data<const T>("M");
    const auto* N = invocation.data<const T>("N");
    auto* P = invocation.data<T>("P");
    const int rows = invocation.integer("rows");
    const int inner = invocation.integer("inner");
    const int cols = invocation.integer("cols");
    invocation.call([=] {
        matmul(M, N, P, rows, inner, cols);
        return 0;
    });
}

template <typename T>
void call_transpose(Invocation& invocation) {
    const auto* in = invocation.data<const T>("in");
    auto* out = invocation.data<T>("out");
    const int rows = invocation.integer("rows");
    const int cols = invocation.integer("cols");
    invocation.call([=] {
        transpose<T>(in, out, rows, cols);
        return 0;
    });
}

template <typename T>
void call_matvec(Invocation& invocation) {
    const auto* A = invocation.data<const T>("A");
    const auto* x = invocation.data<const T>("x");
    auto* y = invocation.data<T>("y");
    const int rows = invocation.integer("rows");
    const int cols = invocation.integer("cols");
    invocation.call([=] {
        matvec<T>(A, x, y, rows, cols);
        return 0;
    });
}

const Register ijk("matmul_ijk", [](Invocation& invocation) {
    invocation.is_double() ? call_matmul<double>(invocation, matmul_ijk<double>) : call_matmul<float>(invocation, matmul_ijk<float>);
});
const Register ikj("matmul_ikj", [](Invocation& invocation) {
    invocation.is_double() ? call_matmul<double>(invocation, matmul_ikj<double>) : call_matmul<float>(invocation, matmul_ikj<float>);
});
const Register transposition("transpose", [](Invocation& invocation) {
    invocation.is_double() ? call_transpose<double>(invocation) : call_transpose<float>(invocation);
});
const Register matrix_vector("matvec", [](Invocation& invocation) {
    invocation.is_double() ? call_matvec<double>(invocation) : call_matvec<float>(invocation);
});

}  // namespace
}  // namespace lab::runner
