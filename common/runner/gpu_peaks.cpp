#include "common/runner/gpu_peaks.h"

#include <cuda_runtime.h>

namespace lab::runner {
namespace {

double attribute(cudaDeviceAttr name) {
    int device = 0;
    int value = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&value, name, device) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return value;
}

// Fused multiply-adds of 32-bit floats per clock and multiprocessor, by compute capability (CUDA C++ Programming Guide, "Throughput of
// Native Arithmetic Instructions").
double lanes(int major, int minor) {
    const bool has_64 = (major == 6 && minor == 0) || major == 7 || (major == 8 && minor == 0);
    return has_64 ? 64 : 128;
}

}  // namespace

trace::Peaks gpu_peaks() {
    const auto major = static_cast<int>(attribute(cudaDevAttrComputeCapabilityMajor));
    const auto minor = static_cast<int>(attribute(cudaDevAttrComputeCapabilityMinor));
    const double clock_khz = attribute(cudaDevAttrClockRate);
    const double flops = 2 * lanes(major, minor) * attribute(cudaDevAttrMultiProcessorCount) * clock_khz * 1e-6;
    const double ratio = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio);
    // Double data rate.
    const double memory = 2 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8 * 1e-6;
    return {memory, flops, ratio > 0 ? flops / ratio : 0};
}

}  // namespace lab::runner
