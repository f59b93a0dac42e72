// Helpers of programs that time kernels on a GPU; they are built for the emulator, too, where times are modelled.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
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

// Holds the default stream back until all timed work is enqueued. Otherwise the GPU would wait between the first event and the launch until
// the host has submitted it, for 2 to 4 microseconds. The suites do the same (common/runner/stream_gate.h).
class HeldStream {
public:
    HeldStream() { check(cudaLaunchHostFunc(nullptr, wait, this), "cudaLaunchHostFunc"); }
    ~HeldStream() { release(); }
    HeldStream(const HeldStream&) = delete;
    HeldStream& operator=(const HeldStream&) = delete;

    void release() { is_released_ = true; }

private:
    // With a timeout: the timed work may wait for the stream itself.
    static void wait(void* held) {
        const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        while (!static_cast<HeldStream*>(held)->is_released_ && std::chrono::steady_clock::now() < latest) {
        }
    }
    std::atomic<bool> is_released_{false};
};

// Milliseconds of one launch by events; the median of `repeats`, after a launch that isn't counted. 0 repeats: the first launch, with
// nothing held back.
inline double kernel_ms(int repeats, const std::function<cudaError_t()>& launch) {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
    std::vector<double> times;
    for (int run = 0; run <= repeats; ++run) {
        const auto held = repeats == 0 ? nullptr : std::make_unique<HeldStream>();
        check(cudaEventRecord(start), "cudaEventRecord");
        check(launch(), "the launch");
        check(cudaEventRecord(stop), "cudaEventRecord");
        if (held) held->release();
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
