// Helpers of the measuring programs. Results go to stdout as JSON, one object a line (measurement.h).
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

// The GPU's properties. Ends the program where there is none.
inline cudaDeviceProp find_gpu() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        std::printf("{\"no_gpu\": \"%s\"}\n", error != cudaSuccess ? cudaGetErrorString(error) : "there is none");
        std::exit(2);
    }
    cudaDeviceProp properties{};
    measuring::check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return properties;
}

inline int attribute(cudaDeviceAttr which) {
    int value = 0;
    measuring::check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

// Events around timed work.
class Timer {
public:
    Timer() {
        measuring::check(cudaEventCreate(&start_), "cudaEventCreate");
        measuring::check(cudaEventCreate(&stop_), "cudaEventCreate");
    }
    ~Timer() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // Milliseconds of `work`, which returns the last error of its calls. `what`: its name in messages.
    template <class Work>
    float ms(const char* what, const Work& work) const {
        measuring::check(cudaEventRecord(start_), "cudaEventRecord");
        measuring::check(work(), what);
        measuring::check(cudaEventRecord(stop_), "cudaEventRecord");
        measuring::check(cudaEventSynchronize(stop_), what);
        float ms = 0;
        measuring::check(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
        return ms;
    }

private:
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

// Zeroed device memory for `count` elements.
template <class T>
struct Array {
    explicit Array(size_t count) {
        measuring::check(cudaMalloc(&data, count * sizeof(T)), "cudaMalloc");
        measuring::check(cudaMemset(data, 0, count * sizeof(T)), "cudaMemset");
    }
    ~Array() { cudaFree(data); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    T* data = nullptr;
};

struct Spread {
    double median, least, most;
};

inline Spread spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace measuring
