#include "common/emulator/client/host_faults.h"

#include <sched.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "common/emulator/client/a64_faults.h"
#include "common/emulator/client/device.h"
#include "common/emulator/client/registration.h"
#include "common/process/trap.h"

namespace lab::client {
namespace {

// The previous handler of the signal.
struct sigaction& previous() {
    static struct sigaction action {};
    return action;
}

bool is_write(const void* context) {
#if defined(__x86_64__)
    constexpr greg_t write_bit = 2;  // in the page fault's error code
    return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write_bit) != 0;
#elif defined(__aarch64__)
    const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
    if (machine.fault_address == machine.pc) return false;  // no instruction there
    // A fault of one that loads and stores may be recorded as a read.
    return records_a_write(machine.__reserved) || is_a64_store(*reinterpret_cast<const std::uint32_t*>(machine.pc));
#else
    (void)context;
    return true;  // the conservative guess; both are unprotected then
#endif
}

// Whether the same address faults repeatedly: removing the protection did not help.
bool is_hopeless(std::uint64_t address) {
    constexpr int max_tries = 8;
    thread_local std::uint64_t latest = 0;
    thread_local int tries = 0;
    tries = address == latest ? tries + 1 : 0;
    latest = address;
    return tries > max_tries;
}

// Whether the access can be repeated.
bool settle(std::uint64_t address, bool writes) {
    if (on_shadow_access(address, writes)) return true;
    if (Device::is_being_exchanged(address)) {
        while (Device::is_being_exchanged(address)) ::sched_yield();
        return true;
    }
    Device& device = Device::instance();
    // Before the lock, since a thread that crashes during a launch would wait for it forever.
    if (!device.is_shared(address) || is_hopeless(address)) return false;
    return device.ask(wire::Call::settle_access, {nullptr, 0}, address, writes) == cudaSuccess;
}

// Locks and allocation are not async-signal-safe, but acceptable here: the signal comes from the program's own access, not from within
// malloc; if it does, the process dies in any case.
void on_segmentation_fault(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (settle(address, is_write(context))) return;
    const struct sigaction& before = previous();
    if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
    std::signal(SIGSEGV, SIG_DFL);  // on return the access is repeated, and ends the process
    Device& device = Device::instance();
    if (device.is_free_soon()) device.ask(wire::Call::explain_access, {nullptr, 0}, address, is_write(context));
}

void install() {
    struct sigaction handler {};
    handler.sa_sigaction = on_segmentation_fault;
    handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &handler, nullptr);
}

}  // namespace

void watch_host_faults() {
    struct sigaction present {};
    if (sigaction(SIGSEGV, nullptr, &present) != 0) return;
    if ((present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_segmentation_fault) return;
    previous() = present;
    install();
}

void explain_host_faults() {
    take_traps_for_signals();
    struct sigaction present {};
    if (sigaction(SIGSEGV, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) return;
    static std::array<char, 64 * 1024> stack;  // separate, for stack overflows
    stack_t alternate{};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    sigaltstack(&alternate, nullptr);
    watch_host_faults();
}

}  // namespace lab::client
