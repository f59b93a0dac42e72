#include "tests/bench/triple_loop.h"

namespace lab::bench {

void triple_loop(const float* M, const float* N, float* P, int W) {
    for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) {
            float sum = 0;
            for (int k = 0; k < W; ++k) sum += M[i * W + k] * N[k * W + j];
            P[i * W + j] = sum;
        }
    }
}

}  // namespace lab::bench
