// Functions of lab 4, called by the suite and defined in the student's file. All elements are float. All sizes are at least 1, and no
// matrix has 2^31 elements or more. Matrices multiplied by a vector are rows x cols and column-major: element (row, col) is at col * rows +
// row. Matrices of a matrix product are row-major.
#pragma once

#include <cuda_runtime.h>

// Capacity of constant memory: 64 KiB for all __constant__ variables of a program.
constexpr int constant_floats = 16384;

// y = A x on device pointers: one launch in blocks of block x block threads. Each returns the launch's error.
// (a) `block` is 8, 16 or 32, any other gives cudaErrorInvalidValue; rows and cols are multiples of it.
cudaError_t launch_matvec_static(int block, const float* A, const float* x, float* y, int rows, int cols);
// (b) `block` is 1 to 32; rows and cols are multiples of it.
cudaError_t launch_matvec_dynamic(int block, const float* A, const float* x, float* y, int rows, int cols);
// (c) `block` is 1 to 32; any rows and cols.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols);

// (d) C = A B on device pointers, in one launch: A is m x k, B is k x n, C is m x n.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k);

// (e) y = A x on device pointers, x in constant memory while the kernel runs. More than constant_floats columns give
// cudaErrorInvalidValue, with nothing copied or launched.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols);

// (f) C = A B on device pointers as in (d), in bands of as many rows of A as fit in constant memory. A row that does not fit, k >
// constant_floats, gives cudaErrorInvalidValue, with nothing copied or launched.
cudaError_t launch_matmul_constant(const float* A, const float* B, float* C, int m, int n, int k);

// (g) y = A x on host pointers; the kernel writes its result into mapped, page-locked host memory.
cudaError_t matvec_mapped(const float* A, const float* x, float* y, int rows, int cols);
