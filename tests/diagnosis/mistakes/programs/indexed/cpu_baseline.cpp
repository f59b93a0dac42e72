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
// <<< your code

// P = M N.  M: rows x inner, N: inner x cols, P: rows x cols.
// Computes one element of P after another, each the dot product of a row of M and a column of N.
template <typename T>
void matmul_ijk(const T* M, const T* N, T* P, int rows, int inner, int cols) {
    // >>> your code
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            T dotProduct = 0;
            for (int k = 0; k < inner; k++) {
                const std::size_t indexM = (std::size_t)row * inner + k;
                const std::size_t indexN = (std::size_t)k * cols + col;
                dotProduct = dotProduct + M[indexM] * N[indexN];
            }
            const std::size_t indexP = (std::size_t)row * cols + col;
            P[indexP] = dotProduct;
        }
    }
    // <<< your code
}

// The same product, as fast as loops alone allow: the innermost loop runs along a row of N and a row of P, so that
// memory is accessed in order.
template <typename T>
void matmul_ikj(const T* M, const T* N, T* P, int rows, int inner, int cols) {
    // >>> your code
    const std::size_t sizeOfP = (std::size_t)rows * cols;
    for (std::size_t index = 0; index < sizeOfP; index++) {
        P[index] = 0;
    }
    for (int row = 0; row < rows; row++) {
        const std::size_t startOfRowP = (std::size_t)row * cols;
        for (int k = 0; k < inner; k++) {
            const T valueM = M[(std::size_t)row * inner + k];
            const std::size_t startOfRowN = (std::size_t)k * cols;
            for (int col = 0; col < cols; col++) {
                P[startOfRowP + col] += valueM * N[startOfRowN + col];
            }
        }
    }
    // <<< your code
}

// out = in transposed.  in: rows x cols, out: cols x rows, both row-major.
template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    // >>> your code
    std::size_t outIndex = 0;
    for (int outRow = 0; outRow < cols; outRow++) {
        for (int outCol = 0; outCol < rows; outCol++) {
            const std::size_t inIndex = (std::size_t)outCol * cols + outRow;
            out[outIndex] = in[inIndex];
            outIndex++;
        }
    }
    // <<< your code
}

// y = A x.  A: rows x cols and column-major: element (i, j) is at index j * rows + i. x: cols elements, y: rows elements.
// Choose the order of the loops that walks through A in memory order. A may have more than 2^31 elements.
template <typename T>
void matvec(const T* A, const T* x, T* y, int rows, int cols) {
    // >>> your code
    for (int row = 0; row < rows; row++) {
        y[row] = 0;
    }
    for (int col = 0; col < cols; col++) {
        const std::size_t startOfColumn = (std::size_t)col * rows;
        const T valueX = x[col];
        for (int row = 0; row < rows; row++) {
            const std::size_t indexA = startOfColumn + row;
            y[row] = y[row] + A[indexA] * valueX;
        }
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
