// A real GPU as a backend: times by events, faults by the runtime's errors. All else is judged in the emulator.
#include <cuda_runtime.h>

#include <stdexcept>

#include "common/runner/backend.h"
#include "common/runner/cuda_status.h"
#include "common/runner/gpu_peaks.h"
#include "common/runner/stream_gate.h"

namespace lab::runner {
namespace {

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
