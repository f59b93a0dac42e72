// One call of the runtime API from its start to its result: takes the lock, tells of earlier faults, counts, keeps what went wrong.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// How a call behaves after a kernel has faulted (CUDA Runtime API, "Error handling"; tried on an H100).
enum class AfterFault : std::uint8_t {
    tells,     // returns the fault's error, this time and ever after
    enqueues,  // only adds work to a stream: returns success, and does nothing, until some other call has told
    works,     // doesn't touch the device
};

// A mistake in the use of a call, as fields of its finding.
struct Misuse {
    FindingKind kind = FindingKind::failed_call;
    std::string what;  // completes "cudaMemcpy failed with ...: "
    std::vector<Location> locations;
    std::string advice;
};

class Call {
public:
    Call(const char* name, LabCallSite site, AfterFault after_fault = AfterFault::tells);

    // The call must do nothing: it ends with result().
    [[nodiscard]] bool is_refused() const { return is_refused_; }
    [[nodiscard]] cudaError_t result() const { return result_; }

    // Ends the call with an error; `why` completes "cudaMalloc failed: ...".
    cudaError_t fail(cudaError_t error, const std::string& why = {});
    // The same, where the program is at fault in a way worth explaining at once. With cudaSuccess the call goes on.
    cudaError_t misuse(cudaError_t error, const Misuse& misuse);

    // The call is this launch, for what is found wrong with it.
    void launches(const Index& grid, const Index& block) {
        grid_ = grid;
        block_ = block;
    }

    [[nodiscard]] const char* name() const { return name_; }
    [[nodiscard]] SourceLine where() const { return place(site_); }
    [[nodiscard]] LabCallSite site() const { return site_; }
    RuntimeState& state;

private:
    cudaError_t failed(cudaError_t error);
    void record_failure(cudaError_t error, const std::string& headline);

    std::unique_lock<std::recursive_mutex> lock_;
    const char* name_;
    LabCallSite site_;
    std::optional<Index> grid_, block_;
    bool is_refused_ = false;
    cudaError_t result_ = cudaSuccess;
};

}  // namespace lab::cuda
