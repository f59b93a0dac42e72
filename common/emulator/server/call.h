// One call of the runtime API from its start to its result: takes the lock, reports earlier faults, counts the call, records its findings.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/server/state.h"

namespace lab::cuda {

// How a call behaves after a kernel has faulted (CUDA Runtime API, "Error handling"; tried on an H100).
enum class AfterFault : std::uint8_t {
    tells,     // returns the fault's error, now and in all later calls
    enqueues,  // only enqueues work: returns success, and does nothing, until another call has reported the fault
    works,     // doesn't touch the device
};

// A mistake in the use of a call, as fields of its finding.
struct Misuse {
    FindingKind kind = FindingKind::failed_call;
    std::string what;  // completes "cudaMemcpy failed with ...: "
    std::vector<Location> locations;
    std::string advice;
    bool is_note = false;  // may be intended
};

class Call {
public:
    Call(const char* name, LabCallSite site, AfterFault after_fault = AfterFault::tells);

    // Whether the call must do nothing but return result().
    [[nodiscard]] bool is_refused() const { return is_refused_; }
    [[nodiscard]] cudaError_t result() const { return result_; }

    // Ends the call with an error; `why` completes "cudaMalloc failed: ...".
    cudaError_t fail(cudaError_t error, const std::string& why = {});
    // The same for misuse by the program, which is explained at once. With cudaSuccess the call continues.
    cudaError_t misuse(cudaError_t error, const Misuse& misuse);

    // Marks the call as this launch; its findings name grid and block.
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
