// A kernel that the machine runs: inside the call that launches it, or, where it may wait for the host, beside the program until something
// waits for it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/emulator/cuda/state.h"
#include "common/emulator/devices/occupancy.h"
#include "common/emulator/devices/time_model.h"
#include "common/emulator/machine/launch.h"

namespace lab::cuda {

struct KernelLaunch {
    const Unit* unit = nullptr;
    std::string mangled;
    machine::LaunchConfig config;
    cudaStream_t stream = nullptr;
    std::string call;   // "kernel launch"
    std::string where;  // "file.cu:12" or ""
    std::vector<const machine::Allocation*> shared_with_host;
    // Of the model:
    std::uint32_t shared_bytes = 0;  // static and dynamic
    std::uint32_t registers = 0;
    devices::Occupancy occupancy;
    devices::LaunchShape shape;
};

class KernelRun {
public:
    KernelRun(RuntimeState& state, KernelLaunch launch);
    ~KernelRun();
    KernelRun(const KernelRun&) = delete;
    KernelRun& operator=(const KernelRun&) = delete;

    // Whether it can look at memory that the host may change meanwhile: nobody says that it ends before the host goes on.
    [[nodiscard]] bool may_wait_for_host() const;
    // Runs it on this thread.
    void run();
    // Runs it on a thread of its own. False if it has not ended after `patience`.
    bool run_beside(std::chrono::milliseconds patience);
    // Once it has ended, which this waits for: its record, what it touched and its faults become part of the state.
    void finish();

private:
    struct Watch;
    LaunchRecord record(const machine::LaunchResult& result);

    RuntimeState& state_;
    KernelLaunch launch_;
    std::unique_ptr<Watch> watch_;  // from its start to its end
    std::thread thread_;
    machine::LaunchResult result_;
};

// A kernel that was left to run beside the program has ended, and finish() was called.
void finish_kernel_beside(RuntimeState& state);

}  // namespace lab::cuda
