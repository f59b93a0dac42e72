// All state of the runtime in one struct, under one lock. Only the runtime's own files include this.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/emulator/client/include/cuda_runtime_api.h"
#include "common/emulator/devices/device.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/server/in_flight.h"
#include "common/emulator/server/session.h"
#include "common/findings/finding.h"

namespace lab::cuda {

struct RuntimeState;

// Tracks unchecked launch errors. An error is unchecked if it was still the last error when the program's part ended, or if another error
// replaced it. The class sees whether the program called cudaGetLastError or cudaPeekAtLastError, but not whether it used the result.
class LaunchErrors {
public:
    struct Failed {
        std::string kernel;  // "scale(float*, int)"
        cudaError_t error = cudaSuccess;
        std::string why;
        SourceLine where;
    };
    // Records a failed launch of the calling thread. If an equal error is pending, one query covers both.
    void failed(Failed launch);
    // Records that the calling thread queried its last error.
    void asked();
    // Records that a call of the calling thread failed, which makes its error the last one.
    void replaced(RuntimeState& state, cudaError_t error, const std::string& call, const SourceLine& where);
    // Ends the program's part, on all threads.
    void end(RuntimeState& state);
    void forget() { pending_.clear(); }

private:
    std::map<std::uint64_t, Failed> pending_;  // by host thread
};

class KernelRun;

// A program knows streams and events by their handles.
struct Stream {
    unsigned int flags = 0;
    int priority = 0;
    unsigned number = 0;  // from 1, in order of creation
};
struct Event {
    unsigned int flags = 0;
    bool is_recorded = false;
    double at_ms = 0;  // on the modelled clock
};

// What the device knows of one of the program's threads.
struct LatestCall {
    const char* name = "";
    LabCallSite site{nullptr, 0};
    struct Range {
        std::uint64_t begin = 0, bytes = 0;
    };
    Range reads{}, writes{};  // ordinary host memory that it touches right now
};
struct HostThread {
    std::uint64_t number = 0;
    cudaError_t last_error = cudaSuccess;
    LatestCall latest_call;
    // During its lifetime this thread answers calls of that one.
    class Current {
    public:
        explicit Current(std::uint32_t number);
        ~Current();
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

    private:
        HostThread* before_;
    };
};

// A __device__, __constant__ or __managed__ variable as the host part of a program knows it.
struct Variable {
    std::string name;              // in the PTX
    const void* shadow = nullptr;  // the program's variable of the same name
    std::uint64_t size = 0;
    bool is_managed = false, is_constant = false;
};

// One translation unit's kernels: PTX text as the compiler embedded it, placed in device memory at first use.
struct Unit {
    std::string text;
    std::unordered_map<const void*, std::string> functions;  // the host's stub -> mangled name
    std::vector<Variable> variables;
    std::unique_ptr<machine::LoadedModule> module;
    std::string refusal;  // why it can't be loaded; "" while nothing is wrong
};

struct RuntimeState {
    std::recursive_mutex mutex;
    std::timed_mutex serving;  // taken for each of the program's messages, and by the device's owner between two calls of student code
    Options options;
    std::function<bool()> is_enough;  // for each launch: machine::LaunchConfig::is_enough
    bool skips_kernels = false;       // a launch that could run succeeds, but does not run
    const devices::Device* device = nullptr;
    std::unique_ptr<machine::Memory> memory;
    std::list<Unit> units;
    std::map<cudaStream_t, Stream> streams;
    unsigned streams_made = 0;  // since the watch began
    std::map<cudaEvent_t, Event> events;
    std::uint64_t handles = 0;  // given out so far
    std::map<std::uint32_t, HostThread> threads;
    HostThread* latest_thread = nullptr;                      // that made a call
    int program = 0;                                          // its process; 0: this one
    int shared_file = -1;                                     // of all its memories
    std::unordered_map<const void*, int> max_dynamic_shared;  // cudaFuncSetAttribute
    std::map<cudaLimit, size_t> limits;

    // A kernel's fault is known at once but reported late, as on hardware: `fault` at the launch, `is_fault_seen` once a call has reported
    // it.
    cudaError_t fault = cudaSuccess;
    bool is_fault_seen = false;
    bool had_kernel_finding = false;  // ever, or a module was rejected; for the exit status
    double clock_ms = 0;              // modelled time since the start
    std::uint64_t instructions = 0;   // of warps, of all launches since the options were set

    Watcher watcher;

    std::vector<trace::Launch> launches;
    std::vector<trace::Launch> all_launches;  // kept for the report at exit, if requested
    std::vector<Finding> kernel_findings, api_findings;
    trace::ApiCounts counts;
    std::uint64_t allocations_until_failure = 0, launches_until_failure = 0, copies_until_failure = 0;  // 0: never
    bool keeps_all_launches = false;
    std::set<std::string> recorded_shapes;  // kernels with grid and block whose accesses have been recorded, since the options were set
    bool explains_misuse = false;           // on stderr, as it happens
    bool prints_findings = true;            // of kernels, on stderr; false where a Session takes them
    bool had_misuse = false;                // ever; for the exit status
    bool reports_at_end = false;            // of the program
    bool shuffles_from_ended = false;       // a kernel does, and Checks::lockstep lets it
    bool assumes_lockstep = false;          // a kernel has volatile stores to shared memory, and Checks::lockstep takes them as ordered

    InFlight in_flight;
    std::shared_ptr<KernelRun> kernel_beside;  // kernel still running after its launch returned; see finish_kernel_beside()
    LaunchErrors launch_errors;
    std::set<std::uint64_t> written_allocations;  // ids of those that a copy, a fill or a kernel may have written
    std::set<std::uint64_t> emptied_allocations;  // ids of those that a tool has declared unwritten
    bool has_unfollowed_launch = false;           // a launch whose writes the initialisation check did not see, since the memory was made
    bool has_refused_launch = false;              // since the watch began: its kernel wrote nothing
    std::uint64_t watched_from_id = 0;            // allocations with higher ids may leak
    struct LostPointer {
        SourceLine first, second;
    };
    LostPointer lost_pointer;  // the latest allocation whose address was overwritten by that of another one; since the watch began

    [[nodiscard]] bool is_stream(cudaStream_t stream) const;
};

// The one instance; made at first use, never destroyed.
[[nodiscard]] RuntimeState& runtime();
// Of the host thread whose call this thread answers, or else of the latest one that made a call: its last error and its latest call.
[[nodiscard]] HostThread& host_thread();
[[nodiscard]] inline cudaError_t& last_error() { return host_thread().last_error; }
[[nodiscard]] inline LatestCall& latest_call() { return host_thread().latest_call; }
// A new handle for a stream or an event.
template <typename Handle>
[[nodiscard]] Handle new_handle(RuntimeState& state) {
    constexpr std::uint64_t unlike_any_of_cudas = 0x100;
    return reinterpret_cast<Handle>(unlike_any_of_cudas + 8 * ++state.handles);
}

// Prints on the program's stdout or stderr; at its next call, if this thread answers none.
void say(int descriptor, const std::string& text);
[[nodiscard]] std::vector<std::pair<int, std::string>> take_unsaid();

// Replaces the memory by a new one at the same addresses, and drops all references to the old one.
void make_memory(RuntimeState& state);

[[nodiscard]] SourceLine place(LabCallSite site);
// " at file.cu:12"; "" if unknown.
[[nodiscard]] std::string at(const SourceLine& where);
// Tells of a finding on stderr; where LAB_SOURCE names the program's file, in 80 columns and with the lines of source that it is about.
void show(const Finding& finding);
// A finding about a call of the API, made there.
[[nodiscard]] Finding finding_of_call(FindingKind kind, const std::string& call, const SourceLine& where);
// Counts and records a finding, merged with equal ones; explains it on stderr if that is enabled.
void keep(RuntimeState& state, Finding finding);

// Units (modules.cpp). Each returns null, false or nothing on failure, with the reason in Unit::refusal.
[[nodiscard]] Unit* unit_of_function(const void* function);
struct FoundVariable {
    Unit* unit = nullptr;
    const Variable* variable = nullptr;
};
[[nodiscard]] FoundVariable find_variable(const void* shadow);
// Replaces the text of the unit with the same kernels. Nothing may be loaded. Throws std::invalid_argument.
void replace_kernels(const std::string& ptx);
// Places a unit's code in device memory, unless it is there. False if the machine rejects it; says so on stderr the first time.
bool load(Unit& unit);
// Copies the values of __managed__ variables from host to device, or back.
enum class Carry : std::uint8_t { to_device, to_host };
void carry_managed(Carry direction);
// Forgets all modules placed in memory; they are placed again when needed.
void unload_all();
// Takes a program's unit, as it sent it.
cudaError_t register_unit(const std::vector<std::byte>& text);
// The program has used its own copy of a variable.
cudaError_t report_shadow_access(const void* shadow, bool is_write);

}  // namespace lab::cuda
