// Baseline of all comparisons: P = M N by three loops, on one thread, compiled with -O2.
#pragma once

namespace lab::bench {

// Row-major, W x W.
void triple_loop(const float* M, const float* N, float* P, int W);

}  // namespace lab::bench
