#include "common/grading/cpu_baseline.h"

#include <algorithm>
#include <array>
#include <vector>

#include "common/grading/arrays.h"
#include "common/runner/processor_time.h"

namespace lab::grading {
namespace {

void multiply(const float* M, const float* N, float* P, int rows, int W) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < W; ++j) {
            float sum = 0;
            for (int k = 0; k < W; ++k) {
                sum += M[i * W + k] * N[k * W + j];
            }
            P[i * W + j] = sum;
        }
    }
}

// `rows` rows of a matrix that has ny of them.
void transpose(const float* in, float* out, int rows, int nx, int ny) {
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < nx; ++x) {
            out[static_cast<std::size_t>(x) * ny + y] = in[static_cast<std::size_t>(y) * nx + x];
        }
    }
}

// y += A x
void multiply_vector(const float* A, const float* x, float* y, int rows, int cols) {
    for (int j = 0; j < cols; ++j) {
        for (int i = 0; i < rows; ++i) {
            y[i] += A[static_cast<std::size_t>(j) * rows + i] * x[j];
        }
    }
}

template <typename Work>
double median_ms(const std::vector<float>& result, const Work& work) {
    std::array<double, 3> times{};
    for (double& time : times) {
        const double start = runner::milliseconds_on(CLOCK_THREAD_CPUTIME_ID);
        work();
        time = runner::milliseconds_on(CLOCK_THREAD_CPUTIME_ID) - start;
        volatile float used = result[result.size() / 2];  // prevents the optimiser from removing the work
        (void)used;
    }
    std::sort(times.begin(), times.end());
    return times[1];
}

}  // namespace

double cpu_matmul_ms(int W) {
    const int rows = std::min(W, 32);
    Random random("CPU baseline");
    const auto M = random.values<float>(static_cast<std::size_t>(rows) * W);
    const auto N = random.values<float>(static_cast<std::size_t>(W) * W);
    std::vector<float> P(M.size());
    return median_ms(P, [&] { multiply(M.data(), N.data(), P.data(), rows, W); }) * W / rows;
}

double cpu_matvec_ms(int rows, int cols) {
    Random random("CPU baseline");
    const auto A = random.values<float>(static_cast<std::size_t>(rows) * cols);
    const auto x = random.values<float>(cols);
    std::vector<float> y(rows);
    return median_ms(y, [&] { multiply_vector(A.data(), x.data(), y.data(), rows, cols); });
}

double cpu_transpose_ms(int nx, int ny) {
    const int rows = std::min(ny, 128);
    Random random("CPU baseline");
    const auto in = random.values<float>(static_cast<std::size_t>(rows) * nx);
    std::vector<float> out(static_cast<std::size_t>(nx) * ny);
    return median_ms(out, [&] { transpose(in.data(), out.data(), rows, nx, ny); }) * ny / rows;
}

}  // namespace lab::grading
