#include "common/emulator/cuda/call.h"

#include "common/emulator/cuda/kernel_run.h"

namespace lab::cuda {

Call::Call(const char* name, LabCallSite site, AfterFault after_fault) : state(runtime()), lock_(state.mutex), name_(name), site_(site) {
    finish_kernel_beside(state);
    latest_call() = {name, site, {}, {}};
    if (state.fault == cudaSuccess || after_fault == AfterFault::works) return;
    is_refused_ = true;
    if (after_fault == AfterFault::enqueues && !state.is_fault_seen) return;
    if (!state.is_fault_seen) {
        state.is_fault_seen = true;
        record(FindingKind::failed_call, state.fault,
               std::string(name) + " tells of a kernel that failed before it: " + cudaGetErrorString(state.fault), false);
    }
    ++state.counts.failed_calls;
    state.launch_errors.replaced(state, state.fault, name_, where());
    last_error() = result_ = state.fault;
}

void Call::record(FindingKind kind, cudaError_t error, const std::string& text, bool is_misuse) {
    ApiFinding finding;
    finding.kind = kind;
    finding.call = name_;
    finding.error = error;
    finding.text = text;
    finding.where = where();
    finding.misuse = is_misuse;
    keep(state, std::move(finding));
}

cudaError_t Call::fail(cudaError_t error, const std::string& why) {
    const std::string reason = why.empty() ? cudaGetErrorString(error) : why;
    record(FindingKind::failed_call, error, std::string(name_) + " failed with " + cudaGetErrorName(error) + ": " + reason, false);
    return failed(error);
}

cudaError_t Call::misuse(cudaError_t error, const Misuse& misuse) {
    if (!state.options.api) return error == cudaSuccess ? error : fail(error, misuse.what);
    std::string text = name_;
    if (error != cudaSuccess) text += std::string(" failed with ") + cudaGetErrorName(error);
    text += ": " + misuse.what;
    for (const std::string& line : {misuse.evidence, misuse.advice}) {
        if (!line.empty()) text += "\n  " + line;
    }
    record(misuse.kind, error, text, true);
    return error == cudaSuccess ? error : failed(error);
}

cudaError_t Call::failed(cudaError_t error) {
    ++state.counts.failed_calls;
    state.launch_errors.replaced(state, error, name_, where());
    return last_error() = result_ = error;
}

}  // namespace lab::cuda
