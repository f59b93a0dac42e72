// Traps that the compiler inserts on AArch64, where an integer division by zero raises no signal (LAB_STUDENT_OPTIONS), as signals.
#pragma once

#include <ucontext.h>

#include <csignal>
#include <cstdint>

namespace lab {

// From now on raises the signal of x86-64: SIGFPE if clang's check of an integer division failed, SIGILL at any other trap.
inline void take_traps_for_signals() {
#if defined(__aarch64__)
    struct sigaction trap {};
    trap.sa_sigaction = [](int, siginfo_t*, void* context) {
        const auto pc = static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
        constexpr std::uint32_t check_failed = (0xd4200000 >> 13U) + 0x55;  // brk #0x5500 to #0x55ff
        raise(*reinterpret_cast<const std::uint32_t*>(pc) >> 13U == check_failed ? SIGFPE : SIGILL);
    };
    trap.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &trap, nullptr);
#endif
}

}  // namespace lab
