// The times of plain loops on one thread of this machine: what every speed-up is relative to. Measured at each call.
#pragma once

namespace lab::grading {

// Milliseconds for a W x W float product. Measured on a band of 32 rows of P, which take the same walks through memory as
// all others; the time is scaled up to W rows.
[[nodiscard]] double cpu_matmul_ms(int W);

// Milliseconds for y = A x, A rows x cols and column-major, in the order that walks memory.
[[nodiscard]] double cpu_matvec_ms(int rows, int cols);

// Milliseconds for the transpose of ny rows of nx floats. Measured on a band of 128 rows, likewise.
[[nodiscard]] double cpu_transpose_ms(int nx, int ny);

}  // namespace lab::grading
