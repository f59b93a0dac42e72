// Cycles of a fused multiply-add that waits for the one before, and the rate of an SM whose warps have one to four chains of them: one
// block on one SM, by the SM's own clock.
//
//   latency REPEATS     each the median of REPEATS, after one that isn't counted
#include "measuring.cuh"

namespace {

using measuring::check;

constexpr int rounds = 64;
// Long enough that the loop's overhead is negligible, short enough for the instruction cache.
template <int chains>
constexpr int steps_a_round = 240 / chains;
constexpr int max_warps = 32;

// Each chain is rounds * steps_a_round<chains> steps of x = a * x + b, each dependent on the one before. `begin` and `end`: of each warp.
template <int chains>
__global__ void chain(float a, float b, float* results, long long* begin, long long* end) {
    float x[chains];
    for (int c = 0; c < chains; ++c) {
        x[c] = float(threadIdx.x + c);
    }
    __syncthreads();
    const long long start = clock64();
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < steps_a_round<chains>; ++step) {
#pragma unroll
            for (int c = 0; c < chains; ++c) {
                // Volatile like clock64(), so that none moves out of the interval between the two readings.
                asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[c]) : "f"(a), "f"(b));
            }
        }
    }
    const long long stop = clock64();
    float sum = 0;
    for (int c = 0; c < chains; ++c) {
        sum += x[c];
    }
    results[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) {
        begin[threadIdx.x / 32] = start;
        end[threadIdx.x / 32] = stop;
    }
}

struct Arrays {
    measuring::Array<float> results{max_warps * 32};
    measuring::Array<long long> begin{max_warps}, end{max_warps};
};

// From the first warp's start to the last one's end.
template <int chains>
double cycles_once(int warps, const Arrays& at) {
    chain<chains><<<1, warps * 32>>>(0.999f, 0.001f, at.results.data, at.begin.data, at.end.data);
    check(cudaGetLastError(), "the launch");
    std::vector<long long> begin(warps);
    std::vector<long long> end(warps);
    check(cudaMemcpy(begin.data(), at.begin.data, warps * sizeof(long long), cudaMemcpyDeviceToHost), "the kernel");
    check(cudaMemcpy(end.data(), at.end.data, warps * sizeof(long long), cudaMemcpyDeviceToHost), "the kernel");
    return double(*std::max_element(end.begin(), end.end()) - *std::min_element(begin.begin(), begin.end()));
}

template <int chains>
void measure(int repeats, const Arrays& at) {
    for (const int warps : {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32}) {
        std::vector<double> cycles;
        for (int run = 0; run <= repeats; ++run) {
            const double once = cycles_once<chains>(warps, at);
            if (run > 0) {
                cycles.push_back(once);
            }
        }
        const measuring::Spread found = measuring::spread(cycles);
        std::printf("{\"chains\": %d, \"warps\": %d, \"steps\": %d, \"cycles\": %.0f, \"least_cycles\": %.0f, \"max_cycles\": %.0f}\n",
                    chains, warps, rounds * steps_a_round<chains>, found.median, found.least, found.most);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        measuring::refuse("latency.cu", "takes the number of repeats");
    }
    const cudaDeviceProp properties = measuring::find_gpu();
    std::printf("{\"device\": \"%s\", \"major\": %d, \"minor\": %d}\n", properties.name, properties.major, properties.minor);
    std::fflush(stdout);
    const int repeats = std::atoi(argv[1]);
    const Arrays at;
    measure<1>(repeats, at);
    measure<2>(repeats, at);
    measure<3>(repeats, at);
    measure<4>(repeats, at);
    return 0;
}
