#include "common/emulator/cuda/faults.h"

#include <cstdio>

namespace lab::cuda {

cudaError_t error_of(machine::FaultKind kind) {
    using machine::FaultKind;
    switch (kind) {
        case FaultKind::out_of_bounds:
        case FaultKind::use_after_free:
        case FaultKind::host_pointer:
        case FaultKind::null_pointer:
        case FaultKind::write_to_constant:
            return cudaErrorIllegalAddress;
        case FaultKind::misaligned:
            return cudaErrorMisalignedAddress;
        case FaultKind::deadlock:
        case FaultKind::endless:
            return cudaErrorLaunchTimeout;
        case FaultKind::assertion:
            return cudaErrorAssert;
        case FaultKind::race:
        case FaultKind::uninitialised_read:
        case FaultKind::absent_lanes:
        case FaultKind::host_race:
        case FaultKind::divergent_barrier:
        case FaultKind::trap:
        case FaultKind::unsupported:
            return cudaErrorLaunchFailure;
    }
    return cudaErrorLaunchFailure;
}

void keep_faults(RuntimeState& state, const machine::LaunchResult& result) {
    for (const machine::Fault& hazard : result.hazards) {
        if (state.prints_faults) std::fprintf(stderr, "%s\n", hazard.text.c_str());
        state.faults.push_back(hazard);
        state.had_fault_or_hazard = true;
    }
    if (!result.fault) return;
    if (state.prints_faults) std::fprintf(stderr, "%s\n", result.fault->text.c_str());
    state.faults.push_back(*result.fault);
    state.had_fault_or_hazard = true;
    state.fault = error_of(result.fault->kind);
    state.is_fault_seen = false;
}

}  // namespace lab::cuda
