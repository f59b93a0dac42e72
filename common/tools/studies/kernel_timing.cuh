// What the programs that time kernels on a GPU share; they are built for the emulator, too, where times are modelled.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

inline void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) {
        return;
    }
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Milliseconds of one launch by events; the median of `repeats`, after a launch that isn't counted. 0 repeats: the first launch.
inline double kernel_ms(int repeats, const std::function<cudaError_t()>& launch) {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
    std::vector<double> times;
    for (int run = 0; run <= repeats; ++run) {
        check(cudaEventRecord(start), "cudaEventRecord");
        check(launch(), "the launch");
        check(cudaEventRecord(stop), "cudaEventRecord");
        check(cudaEventSynchronize(stop), "the kernel");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
        if (run > 0 || repeats == 0) {
            times.push_back(ms);
        }
    }
    check(cudaEventDestroy(start), "cudaEventDestroy");
    check(cudaEventDestroy(stop), "cudaEventDestroy");
    return median(times);
}
