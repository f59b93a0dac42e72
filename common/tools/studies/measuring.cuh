// Helpers of the programs of `lab bandwidth` and `lab latency`. Results go to stdout as JSON, one object a line (measurement.h).
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace measuring {

// Ends the program with a message to the user.
[[noreturn]] inline void refuse(const char* what, const char* why) {
    std::printf("{\"refused\": \"%s: %s\"}\n", what, why);
    std::exit(2);
}

inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) {
        refuse(what, cudaGetErrorString(error));
    }
}

inline void find_gpu() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        std::printf("{\"no_gpu\": \"%s\"}\n", error != cudaSuccess ? cudaGetErrorString(error) : "there is none");
        std::exit(2);
    }
}

inline int attribute(cudaDeviceAttr which) {
    int value = 0;
    measuring::check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

// Events around the timed work.
struct Events {
    Events() {
        measuring::check(cudaEventCreate(&start), "cudaEventCreate");
        measuring::check(cudaEventCreate(&stop), "cudaEventCreate");
    }
    ~Events() {
        cudaEventDestroy(start);
        cudaEventDestroy(stop);
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
};

struct Spread {
    double median, least, most;
};

inline Spread spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace measuring
