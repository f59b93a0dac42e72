#include "common/emulator/server/faults.h"

namespace lab::cuda {

cudaError_t error_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::out_of_bounds:
        case FindingKind::use_after_free:
        case FindingKind::host_pointer:
        case FindingKind::null_pointer:
        case FindingKind::write_to_constant:
            return cudaErrorIllegalAddress;
        case FindingKind::misaligned:
            return cudaErrorMisalignedAddress;
        case FindingKind::deadlock:
        case FindingKind::endless:
            return cudaErrorLaunchTimeout;
        case FindingKind::assertion:
            return cudaErrorAssert;
        default:
            return cudaErrorLaunchFailure;
    }
}

namespace {

void keep_one(RuntimeState& state, const Finding& finding) {
    if (state.prints_findings) show(finding);
    state.kernel_findings.push_back(finding);
    state.had_kernel_finding = true;
}

}  // namespace

void keep_findings(RuntimeState& state, const machine::LaunchResult& result) {
    for (const Finding& finding : result.findings) keep_one(state, finding);
    if (!result.fault) return;
    keep_one(state, *result.fault);
    state.fault = error_of(result.fault->kind);
    state.is_fault_seen = false;
}

}  // namespace lab::cuda
