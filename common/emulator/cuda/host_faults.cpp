#include "common/emulator/cuda/host_faults.h"

#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <csignal>
#include <cstdio>

#include "common/emulator/cuda/a64_faults.h"
#include "common/emulator/cuda/pages.h"
#include "common/emulator/cuda/pointers.h"
#include "common/findings/finding_text.h"
#include "common/process/trap.h"

namespace lab::cuda {
namespace {

// The previous handler of the signal.
struct sigaction& previous() {
    static struct sigaction action {};
    return action;
}

bool is_write(const void* context) {
#if defined(__x86_64__)
    constexpr greg_t write_bit = 2;  // of the page fault's error code
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

// Whether the access can be retried.
bool settle(std::uint64_t address, bool writes) {
    if (PageTrace::on_fault(address, writes)) return true;
    RuntimeState& state = runtime();
    if (on_shadow_access(state, address, writes)) return true;
    // Before the lock, since a thread that crashes during a launch would wait for it forever.
    if (!state.memory || classify(reinterpret_cast<const void*>(address), *state.memory).side != Side::both) return false;
    const std::lock_guard lock(state.mutex);
    if (is_hopeless(address)) return false;
    // If no outstanding work uses the page, another thread's call used it at the time of the access.
    return state.in_flight.on_host_access(state, address, writes) ||
           classify(reinterpret_cast<const void*>(address), *state.memory).side == Side::both;
}

void say(const std::string& line) {
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

// The allocation that starts where free or delete, given its pointer, would read malloc's block header.
const machine::Allocation* freed_as_host_memory(const machine::Memory& memory, std::uint64_t address) {
    if (memory.find_any(address) != nullptr) return nullptr;
    for (const std::uint64_t header : {8U, 16U}) {
        const machine::Allocation* const block = memory.find(address + header);
        if (block != nullptr && block->address == address + header) return block;
    }
    return nullptr;
}

// Locks and allocation are not async-signal-safe, but acceptable here: the signal comes from the program's own access, not from within
// malloc; if it does, the process dies in any case.
void on_segmentation_fault(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (settle(address, is_write(context))) return;
    const struct sigaction& before = previous();
    if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
    std::signal(SIGSEGV, SIG_DFL);  // on return the access is retried, and ends the process
    if (const std::string copy = running_copy_text(address); !copy.empty()) return say(copy + "\n");
    const std::string text = host_access_text(runtime(), address);
    if (text.empty()) return;
    const bool is_freed = freed_as_host_memory(*runtime().memory, address) != nullptr;
    const char* const usual = is_write(context) ? "use cudaMemcpy to write there" : "copy it with cudaMemcpy first";
    say(text + "; " + (is_freed ? "was it freed with free or delete? Use cudaFree" : usual) + "\n");
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

namespace {

// "your host code used the device pointer 0x10"; a pointer to managed memory is not called a device pointer.
std::string host_access_start(const RuntimeState& state, std::uint64_t address) {
    const machine::Allocation* const allocation = state.memory->find_any(address);
    const bool is_shared = allocation != nullptr &&
                           (allocation->kind == machine::AllocationKind::managed || allocation->kind == machine::AllocationKind::mapped);
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%#" PRIx64, address);
    return std::string("your host code used the ") + (is_shared ? "pointer " : "device pointer ") + number.data();
}

}  // namespace

std::string host_access_text(const RuntimeState& state, std::uint64_t address) {
    if (!state.memory || !state.memory->is_reserved(address)) return {};
    return host_access_start(state, address) + ": " + to_text(state.memory->locate(address, 1));
}

std::optional<Finding> host_access_finding(const RuntimeState& state, std::uint64_t address) {
    if (!state.memory || !state.memory->is_reserved(address)) return std::nullopt;
    Finding finding;
    finding.kind = FindingKind::host_access;
    finding.is_mistake = true;
    const auto allocated_at = [&](const SourceLine& where) {
        if (where.is_known()) finding.places.push_back({PlaceRole::allocated, where, {}, {}, {}, {}});
        return where.is_known() ? "allocated" + at(where) : "";
    };
    const machine::Allocation* const inside = state.memory->find(address);
    if (const machine::Allocation* const block = freed_as_host_memory(*state.memory, address)) {
        const std::string made = allocated_at(block->where);
        finding.headline = "was device memory" + (made.empty() ? "" : " (" + made + ")") + " freed with free or delete? Use cudaFree";
    } else if (inside != nullptr && inside->kind == machine::AllocationKind::device && inside->where.is_known()) {
        finding.headline =
            "your host code used the device pointer " + allocated_at(inside->where) + "; only cudaMemcpy reaches that memory";
    } else {
        Location location = state.memory->locate(address, 1);
        const Object& object = location.object;
        const bool is_pinned = object.kind == ObjectKind::pinned_memory || object.kind == ObjectKind::pinned_host_only;
        finding.headline = object.is_freed && is_pinned ? "your host code used pinned memory after it was freed" + at(object.freed_at)
                                                        : host_access_start(state, address);
        location.role = ObjectRole::host_access;
        finding.locations.push_back(std::move(location));
    }
    return finding;
}

std::string running_copy_text(std::uint64_t address, const HostArray& array) {
    const LatestCall& call = latest_call();
    const auto has = [&](const LatestCall::Range& range) { return address - range.begin < range.bytes; };
    if (!has(call.reads) && !has(call.writes)) return {};
    const bool reads = has(call.reads);
    const LatestCall::Range& range = reads ? call.reads : call.writes;
    std::string said =
        std::string(call.name) + at(place(call.site)) + (reads ? " reads " : " writes ") + std::to_string(range.bytes) + " bytes";
    if (array.name.empty()) return said + " of host memory, which are not all there";
    const bool is_whole = range.begin == array.begin;
    if (!is_whole) said += " from byte " + std::to_string(range.begin - array.begin);
    said += " of " + array.name + ", which has " + std::to_string(array.bytes);
    return said + (is_whole && range.bytes == 2 * array.bytes ? ": is sizeof taken of a pointer, 8, instead of an element?" : "");
}

}  // namespace lab::cuda
