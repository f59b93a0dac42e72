// Functions of lab 1, called by the suite and written by the student. T is float or double. Matrices are row-major unless noted otherwise.
#pragma once

// P = M N.  M: rows x inner, N: inner x cols, P: rows x cols. Each element of P as a dot product, one after the other.
template <typename T>
void matmul_ijk(const T* M, const T* N, T* P, int rows, int inner, int cols);

// The same product, with the innermost loop running along rows of N and P.
template <typename T>
void matmul_ikj(const T* M, const T* N, T* P, int rows, int inner, int cols);

// out = in transposed.  in: rows x cols, out: cols x rows.
template <typename T>
void transpose(const T* in, T* out, int rows, int cols);

// y = A x.  A: rows x cols, column-major: A(i, j) is A[j * rows + i]. x: cols, y: rows.
template <typename T>
void matvec(const T* A, const T* x, T* y, int rows, int cols);
