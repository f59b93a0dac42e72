// A real GPU as a backend: times by events, API calls by the spy, faults by the runtime's errors.
#include <cuda_runtime.h>

#include <stdexcept>

#include "common/runner/api_calls.h"
#include "common/runner/api_spy.h"
#include "common/runner/backend.h"
#include "common/runner/cuda_status.h"
#include "common/runner/gpu_peaks.h"
#include "common/runner/guard_zone.h"
#include "common/runner/stream_gate.h"

namespace lab::runner {
namespace {

class GpuBackend : public Backend {
public:
    [[nodiscard]] std::string name() const override { return "gpu"; }

    void begin(const BackendOptions& options) override {
        make_events();
        (void)cudaDeviceSynchronize();
        (void)cudaGetLastError();
        ApiSpy::instance().begin(options.fail_allocation, options.fail_launch, options.fail_copy);
        sticky_ = cudaSuccess;
        follows_values_ = options.follows_values;
        origins_.begin();
    }

    double timed(const std::function<int()>& student, int* status) override {
        follow_values(follows_values_ ? &origins_ : nullptr);
        StreamGate::of_default_stream().close();
        (void)cudaEventRecord(start_);
        *status = student();
        follow_values(nullptr);
        (void)cudaEventRecord(stop_);
        StreamGate::of_default_stream().open();
        // Work on other streams has to be over as well before the output is read.
        const cudaError_t after = cudaDeviceSynchronize();
        if (*status == cudaSuccess) {
            *status = after;
        }
        if (after != cudaSuccess) {
            sticky_ = after;
        }
        float ms = 0;
        return cudaEventElapsedTime(&ms, start_, stop_) == cudaSuccess ? static_cast<double>(ms) : 0;
    }

    trace::CallTrace report() override {
        trace::CallTrace call;
        call.backend = name();
        call.device = device_name();
        call.guard_writes = take_guard_writes();
        const ApiSpy seen = ApiSpy::instance();
        ApiSpy::instance().end();
        if (sticky_ != cudaSuccess) {
            Finding finding;
            finding.kind = FindingKind::device_error;
            finding.headline = describe_cuda_status(sticky_);
            finding.error = sticky_;
            finding.stops = true;
            call.findings.push_back(finding);
        }
        for (const Finding& finding : seen.findings()) call.findings.push_back(finding);
        call.launches = seen.launches();
        call.api = seen.counts();
        call.peaks = gpu_peaks();
        return call;
    }

    bool recover() override {
        // A repeated error means that the context is dead.
        const bool alive = cudaDeviceSynchronize() == cudaSuccess;
        (void)cudaGetLastError();
        return alive;
    }

    void has_input(const void* device, const std::byte* content, std::size_t bytes) override {
        if (follows_values_) origins_.has_input(device, content, bytes);
    }
    trace::Elsewhere elsewhere(const void* device, const Values& values) override {
        if (!follows_values_) return {};
        const auto found = device == nullptr ? origins_.of_host(values) : origins_.of_device(device, values);
        return {found.count, found.first, found.call};
    }
    [[nodiscard]] std::size_t guard_bytes() const override { return guard_zone_bytes(); }
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
    ValueOrigins origins_;
    bool follows_values_ = false;
};

}  // namespace

Backend& backend() {
    static GpuBackend one;
    return one;
}

}  // namespace lab::runner
