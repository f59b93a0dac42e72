#include "common/emulator/cuda/call.h"

#include <cstdio>

namespace lab::cuda {

Call::Call(const char* name, LabCallSite site, AfterFault after_fault) : state(runtime()), lock_(state.mutex), name_(name), site_(site) {
    if (state.fault == cudaSuccess || after_fault == AfterFault::works) return;
    is_refused_ = true;
    if (after_fault == AfterFault::enqueues && !state.is_fault_seen) return;
    if (!state.is_fault_seen) {
        state.is_fault_seen = true;
        record(state.fault, std::string(name) + " tells of a kernel that failed before it: " + cudaGetErrorString(state.fault), false);
    }
    ++state.counts.failed_calls;
    last_error() = result_ = state.fault;
}

void Call::record(cudaError_t error, const std::string& text, bool is_misuse) {
    ApiFinding finding;
    finding.call = name_;
    finding.error = error;
    finding.text = text;
    finding.where = where();
    finding.misuse = is_misuse;
    if (is_misuse && state.explains_misuse) {
        std::fprintf(stderr, "%s%s%s\n", finding.where.c_str(), finding.where.empty() ? "" : ": ", text.c_str());
    }
    state.findings.push_back(std::move(finding));
}

cudaError_t Call::fail(cudaError_t error, const std::string& why) {
    const std::string reason = why.empty() ? cudaGetErrorString(error) : why;
    record(error, std::string(name_) + " failed with " + cudaGetErrorName(error) + ": " + reason, false);
    ++state.counts.failed_calls;
    return last_error() = result_ = error;
}

cudaError_t Call::misuse(cudaError_t error, const std::string& why) {
    if (error == cudaSuccess) {
        record(error, std::string(name_) + ": " + why, true);
        return error;
    }
    record(error, std::string(name_) + " failed with " + cudaGetErrorName(error) + ": " + why, true);
    ++state.counts.failed_calls;
    return last_error() = result_ = error;
}

}  // namespace lab::cuda
