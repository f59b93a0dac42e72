#include "common/emulator/server/call.h"

#include "common/emulator/server/kernel_run.h"

namespace lab::cuda {

Call::Call(const char* name, LabCallSite site, AfterFault after_fault) : state(runtime()), lock_(state.mutex), name_(name), site_(site) {
    finish_kernel_beside(state);
    latest_call() = {name, site, {}, {}};
    if (state.fault == cudaSuccess || after_fault == AfterFault::works) return;
    is_refused_ = true;
    if (after_fault == AfterFault::enqueues && !state.is_fault_seen) return;
    if (!state.is_fault_seen) {
        state.is_fault_seen = true;
        record_failure(state.fault, std::string(name) + " tells of a kernel that failed before it: " + cudaGetErrorString(state.fault));
    }
    ++state.counts.failed_calls;
    state.launch_errors.replaced(state, state.fault, name_, where());
    last_error() = result_ = state.fault;
}

// A failed call by itself is no misuse.
void Call::record_failure(cudaError_t error, const std::string& headline) {
    Finding finding = finding_of_call(FindingKind::failed_call, name_, where());
    finding.is_mistake = false;
    finding.grid = grid_;
    finding.block = block_;
    finding.error = error;
    finding.headline = headline;
    keep(state, std::move(finding));
}

cudaError_t Call::fail(cudaError_t error, const std::string& why) {
    const std::string reason = why.empty() ? cudaGetErrorString(error) : why;
    record_failure(error, std::string(name_) + " failed with " + cudaGetErrorName(error) + ": " + reason);
    return failed(error);
}

cudaError_t Call::misuse(cudaError_t error, const Misuse& misuse) {
    if (!state.options.checks.api) return error == cudaSuccess ? error : fail(error, misuse.what);
    Finding finding = finding_of_call(misuse.kind, name_, where());
    finding.is_mistake = !misuse.is_note;
    finding.error = error;
    finding.headline = name_;
    if (error != cudaSuccess) finding.headline += std::string(" failed with ") + cudaGetErrorName(error);
    finding.headline += ": " + misuse.what;
    finding.locations = misuse.locations;
    finding.advice = misuse.advice;
    keep(state, std::move(finding));
    return error == cudaSuccess ? error : failed(error);
}

cudaError_t Call::failed(cudaError_t error) {
    ++state.counts.failed_calls;
    state.launch_errors.replaced(state, error, name_, where());
    return last_error() = result_ = error;
}

}  // namespace lab::cuda
