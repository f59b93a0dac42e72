#include "common/runner/crash.h"

#include <poll.h>
#include <sys/socket.h>
#include <ucontext.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "common/process/trap.h"
#include "common/runner/protocol.h"

namespace lab::runner {
namespace {

// All data that the signal handler uses, at fixed addresses.
struct State {
    int channel = -1;
    std::uint64_t nonce = 0;
    std::uint64_t sequence = 0;
    const std::vector<std::unique_ptr<Buffer>>* buffers = nullptr;
    std::uintptr_t stack_base = 0;  // an address in the frame below the student's code
    std::array<char, 8192> text{};
    std::array<std::byte, 64 * 1024> stack{};
};

State& state() {
    static State one;
    return one;
}

std::uintptr_t stack_pointer(const void* context) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(registers.sp);
#else
    (void)registers;
    return 0;
#endif
}

// Whether the address lies in the stack's frames without a page: the stack has grown to its limit.
bool stack_is_full(std::uintptr_t address, const void* context) {
    constexpr std::uintptr_t most = std::uintptr_t{128} << 20;  // the system keeps at least this much free below
    constexpr std::uintptr_t red_zone = 4096;                   // below the stack pointer: memory about to be pushed or probed
    const std::uintptr_t lowest = stack_pointer(context);
    const std::uintptr_t base = state().stack_base;
    return lowest < base && base - lowest < most && address + red_zone >= lowest && address < base;
}

// Whether the address lies above the whole stack, or in the pages of its start: a local array was left at its end.
bool is_above_stack(std::uintptr_t address) {
    constexpr std::uintptr_t most = std::uintptr_t{256} << 10;  // arguments and environment lie between the first frame and the end
    const std::uintptr_t base = state().stack_base;
    return base != 0 && address >= base && address - base < most;
}

// Index of the element at an address that a 32-bit number has missed by a multiple of 2^32: by an unsigned one below 0, or by a signed one
// in an array of more elements than it can count. Nothing if the address is no such element.
std::optional<std::int64_t> wrapped_index(const Buffer& buffer, std::uintptr_t address) {
    constexpr std::int64_t wrap = std::int64_t{1} << 32;
    constexpr std::int64_t most = std::int64_t{1} << 20;  // elements of arrays among which a chance hit is unlikely
    const auto first = reinterpret_cast<std::uintptr_t>(buffer.start());
    const auto bytes = static_cast<std::int64_t>(buffer.spec().element_bytes());
    const auto distance = static_cast<std::int64_t>(address - first);
    const auto count = static_cast<std::int64_t>(buffer.spec().count);
    if (first == 0 || distance % bytes != 0) return std::nullopt;
    const std::int64_t index = distance / bytes;
    if (count > wrap / 2) return index < 0 && index >= -wrap / 2 ? std::optional(index) : std::nullopt;
    const std::int64_t missed_by = (index + wrap / 2) % wrap - wrap / 2;
    return index >= wrap / 2 && count <= most && std::abs(missed_by) <= count ? std::optional(index) : std::nullopt;
}

// The array for which wrapped_index() finds an element; null if there is none, or several.
const Buffer* wrapped_array(std::uintptr_t address) {
    const Buffer* found = nullptr;
    if (state().buffers == nullptr) return nullptr;
    for (const auto& buffer : *state().buffers) {
        if (!wrapped_index(*buffer, address)) continue;
        if (found != nullptr) return nullptr;
        found = buffer.get();
    }
    return found;
}

// Writes JSON without a library: allocation is unsafe here. Names of arrays are identifiers, so nothing has to be escaped.
template <typename... Values>
int write(const char* format, Values... values) {
    return std::snprintf(state().text.data(), state().text.size(), format, values...);
}

int explain(std::uintptr_t where, const void* context) {
    const auto address = static_cast<unsigned long long>(where);
    for (std::size_t i = 0; state().buffers != nullptr && i < state().buffers->size(); ++i) {
        const Buffer& buffer = *(*state().buffers)[i];
        std::int64_t distance = 0;
        bool past_end = false;
        if (!buffer.near(where, &distance, &past_end)) continue;
        return write(R"({"address":"%#llx","array":"%s","begin":%llu,"bytes":%llu,"distance":%lld,"past_end":%s})", address,
                     buffer.spec().name.c_str(), static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(buffer.start())),
                     static_cast<unsigned long long>(buffer.bytes()), static_cast<long long>(distance), past_end ? "true" : "false");
    }
    if (stack_is_full(where, context)) return write("%s", R"({"stack":true})");
    if (is_above_stack(where)) return write(R"({"address":"%#llx","local_array":true})", address);
    if (const Buffer* const array = wrapped_array(where)) {
        return write(R"({"address":"%#llx","array":"%s","past_end":true,"element":%lld,"count":%llu})", address, array->spec().name.c_str(),
                     static_cast<long long>(*wrapped_index(*array, where)), static_cast<unsigned long long>(array->spec().count));
    }
    return write(R"({"address":"%#llx"})", address);
}

// Sends the first characters of the text.
void send_text(int length) {
    State& now = state();
    if (length > 0 && now.channel >= 0) {
        FrameHeader header;
        header.magic = frame_magic;
        header.nonce = now.nonce;
        header.sequence = now.sequence;
        header.kind = FrameKind::crash;
        header.json_bytes = static_cast<std::uint64_t>(length);
        header.checksum = frame_checksum(now.text.data(), header.json_bytes, nullptr, 0);
        (void)::send(now.channel, &header, sizeof header, MSG_NOSIGNAL);
        (void)::send(now.channel, now.text.data(), header.json_bytes, MSG_NOSIGNAL);
        // The suite asks the device about the address while this process is there.
        constexpr int patience_ms = 5000;
        pollfd answer{now.channel, POLLIN, 0};
        (void)::poll(&answer, 1, patience_ms);
    }
}

void on_crash(int signal, siginfo_t* info, void* context) {
    send_text(explain(reinterpret_cast<std::uintptr_t>(info->si_addr), context));
    std::signal(signal, SIG_DFL);  // returning repeats the access, which then ends the process
}

}  // namespace

void report_crashes_to(int channel, std::uint64_t nonce, std::uint64_t sequence) {
    State& now = state();
    now.channel = channel;
    now.nonce = nonce;
    now.sequence = sequence;
    const char here = 0;
    now.stack_base = reinterpret_cast<std::uintptr_t>(&here);
    // A separate stack, since infinite recursion has used up the other.
    stack_t stack{};
    stack.ss_sp = now.stack.data();
    stack.ss_size = now.stack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGSEGV, &action, nullptr);
    ::sigaction(SIGBUS, &action, nullptr);
    take_traps_for_signals();
}

void report_stack_smashed() {
    send_text(write("%s", R"({"local_array":true})"));
    std::abort();
}

WatchedBuffers::WatchedBuffers(const std::vector<std::unique_ptr<Buffer>>& buffers) { state().buffers = &buffers; }
WatchedBuffers::~WatchedBuffers() { state().buffers = nullptr; }

}  // namespace lab::runner

// Called by functions that were compiled with -fstack-protector-strong, in place of the C library's.
extern "C" [[noreturn]] void lab_stack_smashed() __asm__("__stack_chk_fail");
void lab_stack_smashed() { lab::runner::report_stack_smashed(); }
