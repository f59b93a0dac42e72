#include "common/emulator/cuda/faults.h"

#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

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
        std::fprintf(stderr, "%s\n", hazard.text.c_str());
        state.faults.push_back(hazard);
        state.had_fault_or_hazard = true;
    }
    if (!result.fault) return;
    std::fprintf(stderr, "%s\n", result.fault->text.c_str());
    state.faults.push_back(*result.fault);
    state.had_fault_or_hazard = true;
    state.fault = error_of(result.fault->kind);
    state.is_fault_seen = false;
}

namespace {

bool is_write(const void* context) {
#if defined(__x86_64__)
    constexpr greg_t write_bit = 2;  // of the page fault's error code
    return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write_bit) != 0;
#else
    (void)context;
    return false;
#endif
}

// The process dies of this signal in any case, so that what is not safe in a handler (allocating) may be risked.
void on_segmentation_fault(int, siginfo_t* info, void* context) {
    std::signal(SIGSEGV, SIG_DFL);  // on return the access is tried again, and kills
    const RuntimeState& state = runtime();
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (!state.memory || !state.memory->is_reserved(address)) return;
    char line[512];
    const int length = std::snprintf(line, sizeof line, "host code %s device memory at %p: %s; %s\n", is_write(context) ? "wrote" : "read",
                                     info->si_addr, state.memory->describe(address, 1).c_str(),
                                     is_write(context) ? "use cudaMemcpy to write there" : "copy it with cudaMemcpy first");
    if (length > 0 && write(STDERR_FILENO, line, std::min(static_cast<std::size_t>(length), sizeof line - 1)) < 0) return;
}

}  // namespace

void explain_host_faults() {
    struct sigaction present {};
    if (sigaction(SIGSEGV, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) return;
    static char stack[64 * 1024];  // of its own, for stacks that overflowed
    stack_t alternate{};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, nullptr);
    struct sigaction handler {};
    handler.sa_sigaction = on_segmentation_fault;
    handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &handler, nullptr);
}

}  // namespace lab::cuda
