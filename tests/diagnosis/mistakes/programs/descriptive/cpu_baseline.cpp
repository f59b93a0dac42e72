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

// Index of an element in a row-major matrix of this width.
static constexpr std::size_t index_of(std::size_t row, std::size_t col, std::size_t width) { return row * width + col; }
// <<< your code

// P = M N.  M: rows x inner, N: inner x cols, P: rows x cols.
// Computes one element of P after another, each the dot product of a row of M and a column of N.
template <typename T>
void matmul_ijk(const T* M, const T* N, T* P, int rows, int inner, int cols) {
    // >>> your code
    const std::size_t depth = inner;
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col) {
            T dot_product = 0;
            for (std::size_t k = 0; k < depth; ++k) {
                dot_product += M[index_of(row, k, inner)] * N[index_of(k, col, cols)];
            }
            P[index_of(row, col, cols)] = dot_product;
        }
    }
    // <<< your code
}

// The same product, as fast as loops alone allow: the innermost loop runs along a row of N and a row of P, so that
// memory is accessed in order.
template <typename T>
void matmul_ikj(const T* M, const T* N, T* P, int rows, int inner, int cols) {
    // >>> your code
    const std::size_t width = cols;
    std::fill(P, P + rows * width, T(0));
    for (int row = 0; row < rows; ++row) {
        T* const P_row = P + row * width;
        for (int k = 0; k < inner; ++k) {
            const T factor = M[index_of(row, k, inner)];
            const T* const N_row = N + k * width;
            for (std::size_t col = 0; col < width; ++col) {
                P_row[col] += factor * N_row[col];
            }
        }
    }
    // <<< your code
}

// out = in transposed.  in: rows x cols, out: cols x rows, both row-major.
template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    // >>> your code
    for (int col = 0; col < cols; ++col) {
        T* const out_row = out + index_of(col, 0, rows);
        for (int row = 0; row < rows; ++row) {
            out_row[row] = in[index_of(row, col, cols)];
        }
    }
    // <<< your code
}

// y = A x.  A: rows x cols and column-major: element (i, j) is at index j * rows + i. x: cols elements, y: rows elements.
// Choose the order of the loops that walks through A in memory order. A may have more than 2^31 elements.
template <typename T>
void matvec(const T* A, const T* x, T* y, int rows, int cols) {
    // >>> your code
    std::fill(y, y + rows, T(0));
    const T* column = A;
    for (int col = 0; col < cols; ++col) {
        const T factor = x[col];
        for (int row = 0; row < rows; ++row) {
            y[row] += factor * column[row];
        }
        column += rows;
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
