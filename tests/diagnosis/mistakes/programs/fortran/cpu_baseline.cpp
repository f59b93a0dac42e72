// Lab 1 · CPU baseline
//
// Matrix product, transpose and matrix-vector product on one CPU thread: the baseline for the GPU in the following labs.
// The order in which loops walk through memory makes most of the difference.
//
// Write only between the lines `// >>> your code` and `// <<< your code`. T is float or double. Matrices are row-major (element
// (i, j) of a matrix with `cols` columns is at index i * cols + j) unless a comment says otherwise. An output array is
// uninitialised when your function is called, and no input may be changed.
#include <cstddef>

#include "common/api/lab1.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#include <algorithm>

static inline std::size_t IDX(int i, int j, int ld) { return static_cast<std::size_t>(i) * ld + j; }
// <<< your code

// P = M N.  M: rows x inner, N: inner x cols, P: rows x cols.
// Computes one element of P after another, each the dot product of a row of M and a column of N.
template <typename T>
void matmul_ijk(const T* M, const T* N, T* P, int rows, int inner, int cols) {
    // >>> your code
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            T dot = T(0);
            for (int k = 0; k < inner; k++) dot += M[IDX(i, k, inner)] * N[IDX(k, j, cols)];
            P[IDX(i, j, cols)] = dot;
        }
    }
    // <<< your code
}

// The same product, as fast as loops alone allow: the innermost loop runs along a row of N and a row of P, so that
// memory is accessed in order.
template <typename T>
void matmul_ikj(const T* M, const T* N, T* P, int rows, int inner, int cols) {
    // >>> your code
    std::fill(P, P + IDX(rows, 0, cols), T(0));
    for (int i = 0; i < rows; i++) {
        T* p = &P[IDX(i, 0, cols)];
        const T* m = &M[IDX(i, 0, inner)];
        for (int k = 0; k < inner; k++) {
            const T* n = &N[IDX(k, 0, cols)];
            const T mik = m[k];
            for (int j = 0; j < cols; j++) p[j] += mik * n[j];
        }
    }
    // <<< your code
}

// out = in transposed.  in: rows x cols, out: cols x rows, both row-major.
template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    // >>> your code
    const int ldin = cols;
    const int ldout = rows;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            out[IDX(j, i, ldout)] = in[IDX(i, j, ldin)];
    // <<< your code
}

// y = A x.  A: rows x cols and column-major: element (i, j) is at index j * rows + i. x: cols elements, y: rows elements.
// Choose the order of the loops that walks through A in memory order. A may have more than 2^31 elements.
template <typename T>
void matvec(const T* A, const T* x, T* y, int rows, int cols) {
    // >>> your code
    const std::size_t lda = rows;
    std::fill(y, y + rows, T(0));
    const T* a = A;
    for (int j = 0; j < cols; j++) {
        const T xj = x[j];
        for (int i = 0; i < rows; i++) {
            y[i] += xj * a[i];
        }
        a += lda;
    }
    // <<< your code
}

// Given: the types that the suite uses.
template void matmul_ijk<float>(const float*, const float*, float*, int, int, int);
template void matmul_ijk<double>(const double*, const double*, double*, int, int, int);
template void matmul_ikj<float>(const float*, const float*, float*, int, int, int);
template void matmul_ikj<double>(const double*, const double*, double*, int, int, int);
template void transpose<float>(const float*, float*, int, int);
template void transpose<double>(const double*, double*, int, int);
template void matvec<float>(const float*, const float*, float*, int, int);
template void matvec<double>(const double*, const double*, double*, int, int);
