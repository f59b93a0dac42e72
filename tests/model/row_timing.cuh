// Helpers of the programs whose rows `lab fidelity` measures and models (kernel_rows.h): print a row of JSON for each case when it is
// measured.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/tools/studies/kernel_timing.cuh"
#include "common/tools/studies/measuring.cuh"

__global__ void row_ends() {}

namespace rows {

inline int max_size = 512;   // of a side
inline int max_repeats = 0;  // 0: each once, followed by a launch of row_ends, which separates the launches by rows

struct Case {
    const char* lab;
    std::string kernel;
    int x, y;  // elements along x and y; of a matrix product, its side, twice
    dim3 block;
};

inline void time_case(const Case& of, const std::function<cudaError_t()>& launch) {
    constexpr double enough_ms = 60;  // for all repeats of one case
    double ms = kernel_ms(0, launch);
    if (max_repeats > 0) {
        ms = kernel_ms(1, launch);
        const int repeats = std::min(int(enough_ms / ms), max_repeats);
        if (repeats > 1) {
            ms = kernel_ms(std::max(3, repeats), launch);
        }
    }
    std::printf(R"({"lab": "%s", "kernel": "%s", "size": [%d, %d], "block": [%u, %u], "ms": %.6f})", of.lab, of.kernel.c_str(), of.x, of.y,
                of.block.x, of.block.y, ms);
    std::printf("\n");
    std::fflush(stdout);
    if (max_repeats == 0) {
        row_ends<<<1, 1>>>();
        check(cudaGetLastError(), "row_ends");
    }
}

// Device arrays of T with equal numbers.
template <typename T>
class Array {
public:
    explicit Array(size_t count) {
        std::vector<T> values(std::min<size_t>(count, 1 << 20));
        for (size_t i = 0; i < values.size(); ++i) {
            values[i] = T(i % 17) / 16 - T(i % 5) / 4;
        }
        check(cudaMalloc(&address_, count * sizeof(T)), "cudaMalloc");
        for (size_t at = 0; at < count; at += values.size()) {
            const size_t part = std::min(values.size(), count - at);
            check(cudaMemcpy(address_ + at, values.data(), part * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
        }
    }
    explicit Array(const std::vector<T>& values) {
        check(cudaMalloc(&address_, values.size() * sizeof(T)), "cudaMalloc");
        check(cudaMemcpy(address_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~Array() { cudaFree(address_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    operator T*() const { return address_; }

private:
    T* address_ = nullptr;
};

// PROGRAM MOST_SIZE [REPEATS]: each case is warmed up and measured as the median of at most REPEATS, fewer for slow launches. The first
// line names the GPU.
inline void begin(const char* program, int argc, char** argv) {
    max_size = argc > 1 ? std::atoi(argv[1]) : 512;
    max_repeats = argc > 2 ? std::atoi(argv[2]) : 0;
    if (max_size < 512 || max_repeats < 0) {
        measuring::refuse(program, "MOST_SIZE [REPEATS]: a size from 512 up, and repeats from 1 up");
    }
    const cudaDeviceProp properties = measuring::find_gpu();
    std::printf(R"({"device": "%s", "sms": %d, "l2_bytes": %d, "repeats": %d})", properties.name, properties.multiProcessorCount,
                properties.l2CacheSize, max_repeats);
    std::printf("\n");
}

}  // namespace rows
