// A real GPU as a backend: times by events, faults by the runtime's errors. All else is judged in the emulator.
#include <cuda_runtime.h>

#include <stdexcept>

#include "common/runner/backend.h"
#include "common/runner/device_arrays.h"
#include "common/runner/stream_gate.h"
#include "common/trace/call.h"

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

// Peak rates of the current GPU, for a roofline, from the clocks and units that the runtime reports. A fused multiply-add counts as two
// operations.
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

class GpuBackend : public Backend {
public:
    [[nodiscard]] std::string name() const override { return "gpu"; }

    void begin(const BackendOptions& /*options*/) override {
        make_events();
        (void)cudaDeviceSynchronize();
        (void)cudaGetLastError();
        sticky_ = cudaSuccess;
    }

    // Work on other streams has to be over as well before the output is read.
    void wait(int* status) override {
        const cudaError_t after = cudaDeviceSynchronize();
        if (*status == cudaSuccess) *status = after;
        if (after != cudaSuccess) sticky_ = after;
    }

    double timed(const std::function<int()>& student, int* status) override {
        StreamGate::of_default_stream().close();
        (void)cudaEventRecord(start_);
        *status = student();
        (void)cudaEventRecord(stop_);
        StreamGate::of_default_stream().open();
        wait(status);
        float ms = 0;
        return cudaEventElapsedTime(&ms, start_, stop_) == cudaSuccess ? static_cast<double>(ms) : 0;
    }

    trace::CallTrace report() override {
        trace::CallTrace call;
        call.backend = name();
        call.device = device_name();
        if (sticky_ != cudaSuccess) {
            Finding finding;
            finding.kind = FindingKind::device_error;
            finding.headline = describe_cuda_status(sticky_);
            finding.error = sticky_;
            finding.stops = true;
            call.findings.push_back(finding);
        }
        call.peaks = gpu_peaks();
        return call;
    }

    bool recover() override {
        // A repeated error means that the context is dead.
        const bool alive = cudaDeviceSynchronize() == cudaSuccess;
        (void)cudaGetLastError();
        return alive;
    }

    [[nodiscard]] std::string describe(int status) const override { return describe_cuda_status(status); }

private:
    void make_events() {
        if (start_ != nullptr) {
            return;
        }
        if (const cudaError_t error = cudaEventCreate(&start_); error != cudaSuccess) {
            throw SetupError("no usable GPU: " + describe_cuda_status(error));
        }
        if (const cudaError_t error = cudaEventCreate(&stop_); error != cudaSuccess) {
            throw SetupError(describe_cuda_status(error));
        }
    }

    static std::string device_name() {
        int device = 0;
        cudaDeviceProp properties{};
        if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
            return "unknown";
        }
        return properties.name;
    }

    cudaEvent_t start_ = nullptr;
    cudaEvent_t stop_ = nullptr;
    cudaError_t sticky_ = cudaSuccess;
};

}  // namespace

Backend& backend() {
    static GpuBackend one;
    return one;
}

}  // namespace lab::runner
