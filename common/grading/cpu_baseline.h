// The time of the plain triple loop on one thread of this machine: what every speed-up is relative to.
#pragma once

namespace lab::grading {

// Milliseconds for a W x W float product. Measured at each call, on a band of 32 rows of P, which take the same walks
// through memory as all others; the time is scaled up to W rows.
[[nodiscard]] double cpu_matmul_ms(int W);

}  // namespace lab::grading
