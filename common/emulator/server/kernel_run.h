// One kernel execution. It runs inside the launch call. A kernel that may wait for the host runs on its own thread until a call waits for
// it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/emulator/devices/occupancy.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/server/state.h"
#include "common/emulator/timing/launch.h"
#include "common/emulator/timing/time_model.h"
#include "common/trace/launch.h"

namespace lab::cuda {

// Lives while a kernel runs; reports the words that it has changed to the watcher. Free of cost without a watcher.
class StoredForHost {
public:
    explicit StoredForHost(const RuntimeState& state);
    ~StoredForHost();
    StoredForHost(const StoredForHost&) = delete;
    StoredForHost& operator=(const StoredForHost&) = delete;

private:
    const RuntimeState& state_;
    std::vector<std::pair<const std::byte*, std::vector<std::byte>>> before_;  // address, and contents before
};

struct KernelLaunch {
    const Unit* unit = nullptr;
    std::string mangled;
    machine::LaunchConfig config;
    timing::Sampling sampling;
    cudaStream_t stream = nullptr;
    std::string call;  // "kernel launch"
    SourceLine where;
    std::vector<const machine::Allocation*> shared_with_host;
    // Inputs of the time model.
    std::uint32_t shared_bytes = 0;  // static and dynamic
    std::uint32_t registers = 0;
    devices::Occupancy occupancy;
    timing::LaunchShape shape;
    // Whether the kernel can signal to the host or wait for it, through memory that both access.
    [[nodiscard]] bool may_meet_host() const;
};

class KernelRun {
public:
    KernelRun(RuntimeState& state, KernelLaunch launch);
    ~KernelRun();
    KernelRun(const KernelRun&) = delete;
    KernelRun& operator=(const KernelRun&) = delete;

    [[nodiscard]] bool may_wait_for_host() const { return launch_.may_meet_host(); }
    // Runs the kernel on this thread.
    void run();
    // Runs the kernel on its own thread. False if it has not ended after `patience`.
    bool run_beside(std::chrono::milliseconds patience);
    // Waits for its end, then adds its record, its touched memory and its faults to the state.
    void finish();

private:
    trace::Launch record();

    RuntimeState& state_;
    KernelLaunch launch_;
    std::unique_ptr<StoredForHost> stored_;  // from its start to its end
    std::thread thread_;
    bool outlives_launch_ = false;
    timing::SampledLaunch launched_;
};

// Finishes the kernel that runs beside the program, if there is one.
void finish_kernel_beside(RuntimeState& state);

// CUDA's error for a launch that a finding of this kind ended.
[[nodiscard]] cudaError_t error_of(FindingKind kind);

// Prints the findings to stderr, records them for the session, and sets the error that later calls return.
void keep_findings(RuntimeState& state, const machine::LaunchResult& result);

// The file of `lab run --json`: {"version": of the form, "launches", "findings"}, both as common/trace/json.h says.
[[nodiscard]] nlohmann::json to_json(const std::vector<trace::Launch>& launches, const std::vector<Finding>& findings);

// Two lines a launch, with a head, in 80 columns; for a terminal.
[[nodiscard]] std::string to_table(const std::vector<trace::Launch>& launches);

}  // namespace lab::cuda
