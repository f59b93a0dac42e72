// Times of simple loops on one thread of this machine, the baseline of every speed-up. Measured at each call.
#pragma once

namespace lab::grading {

// Milliseconds for a W x W float product. Measured on a band of 32 rows of P, whose memory accesses are like those of all others; the time
// is scaled to W rows.
[[nodiscard]] double cpu_matmul_ms(int W);

// Milliseconds for y = A x, A rows x cols and column-major, in memory order.
[[nodiscard]] double cpu_matvec_ms(int rows, int cols);

// Milliseconds for the transpose of ny rows of nx floats. Measured on a band of 128 rows, likewise.
[[nodiscard]] double cpu_transpose_ms(int nx, int ny);

}  // namespace lab::grading
