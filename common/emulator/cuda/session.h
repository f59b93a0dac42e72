// What the emulator's CUDA runtime knows about one process, for the tools around it: the runner and `lab run`.
// Student code never includes this; it sees only the CUDA headers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/devices/occupancy.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/time_model.h"
#include "common/findings/finding.h"

namespace lab::cuda {

// One kernel launch: what ran, what it counted, how long the model says it takes.
struct LaunchRecord {
    std::string kernel;  // demangled, without arguments' values: "matmul_tiled<16>(float const*, float const*, float*, int)"
    std::string mangled;
    machine::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;  // static and dynamic
    std::uint32_t dynamic_shared_bytes = 0;
    machine::Counters counters;
    machine::PartitionCounts partitions;  // empty where the device has none
    double modelled_ms = 0;
    timing::TimeEstimate time;                            // the same with its parts
    timing::SampledTraffic sample;                        // of a few blocks, for the model
    bool ran_some = false;                                // of its blocks; with Options::max_blocks
    std::string bound;                                    // which part of the device the model says is the limit: "DRAM"
    std::string device;                                   // "h100"
    SourceLine where;                                     // of the <<<>>>
    devices::Occupancy occupancy;                         // what the block's needs allow, not what was reached
    std::uint32_t registers = 0;                          // a thread: an estimate, as PTX has no register allocation
    std::vector<machine::LineCounts> lines;               // if Options::counts_by_line
    std::shared_ptr<const machine::Recording> recording;  // if Options::records_accesses
    bool has_fault = false;                               // it did not run to its end: nothing was counted
};

struct ApiCounts {
    std::uint64_t allocations = 0, frees = 0, copies = 0, launches = 0, failed_calls = 0;
    std::uint64_t copies_to_host = 0;  // of the copies, those from device memory to the host's
    std::uint64_t live_allocations = 0, live_bytes = 0;
    std::uint64_t error_queries = 0;  // cudaGetLastError, cudaPeekAtLastError
    std::uint64_t misuses = 0;        // findings that are mistakes, each time counted
};

struct Options : emulator::Options {
    // Limit on warp instructions of all launches since configure(). A launch beyond it ends with a fault. 0: no limit.
    std::uint64_t max_instructions_together = 0;
};

// Copies and fills as they are made, in rows of bytes.
struct WatchedCopy {
    struct End {
        const void* pointer = nullptr;  // null: a fill has no source
        std::uint64_t pitch = 0;        // bytes from one row's start to the next one's
        bool is_device = false;         // device memory; all else can be read and written by the host as well
    };
    std::string call;  // "cudaMemcpy2D"
    SourceLine where;
    End to, from;
    std::uint64_t width = 0, height = 0;  // bytes, rows
    const std::byte* arrived = nullptr;   // the first row where it went, as the host can read it
    double modelled_ms = 0;
};

// Callbacks for launches and copies, each called on the thread that makes them.
struct Watcher {
    std::function<void()> launch_begins, launch_ends;
    std::function<void(const WatchedCopy&)> copied;
    std::function<void(std::uint32_t)> stored_for_host;  // a word stored by a kernel in memory that the host reads directly
};

class Session {
public:
    static Session& instance();

    // Findings of kernels are no longer printed: take_kernel_findings() has them.
    void configure(const Options& options);
    [[nodiscard]] const Options& options() const;

    // Everything since the last call of the same function, in order.
    [[nodiscard]] std::vector<LaunchRecord> take_launches();
    [[nodiscard]] std::vector<Finding> take_kernel_findings();
    // Of calls of the runtime API that failed or were wrong, and of its rules that the host's code broke.
    [[nodiscard]] std::vector<Finding> take_api_findings();
    [[nodiscard]] ApiCounts take_api_counts();

    // What end_watch() tells of is what the program has done from now on.
    void begin_watch();
    // The program's part is over: memory that it has not freed and launch errors that it never asked for become findings.
    void end_watch();

    // Replaces the one before.
    void watch(Watcher watcher);

    // The n-th allocation from now (1: the next) fails with cudaErrorMemoryAllocation; 0 switches that off.
    void fail_allocation(std::uint64_t n);
    // The n-th launch from now fails with cudaErrorLaunchOutOfResources; 0 switches that off.
    void fail_launch(std::uint64_t n);
    // The n-th copy from now that nothing else is wrong with fails with cudaErrorECCUncorrectable; 0 switches that off.
    void fail_copy(std::uint64_t n);

    // Exchanges the PTX that one of the program's units carries for another text with the same kernels, names and parameters. That is
    // a program whose device pass was run again, and its host pass not. All device memory is new. Throws std::invalid_argument if
    // no unit has these kernels, or several have.
    void replace_kernels(const std::string& ptx);

    // Findings call the array in device memory that starts there by this name.
    void name_array(const void* device, const std::string& name);

    // Whatever is in device memory there counts as never written, for the check of initialisation.
    void forget_written(const void* device, std::uint64_t bytes);

    // Text on live allocations, as `lab run` prints at exit; "" when there are none.
    [[nodiscard]] std::string leak_report() const;
    // Why the host can't touch an address: "your host code used the device pointer ...", or "cudaMemcpy at file.cu:12 reads 4096 bytes of
    // host memory, ..."; nothing if it is neither the device's nor a running copy's.
    [[nodiscard]] std::optional<Finding> explain_host_access(std::uint64_t address) const;
    // Frees everything, clears errors and statistics: as cudaDeviceReset, and after a sticky error too.
    void reset();

private:
    Session();
    struct State;
    State* state_;
    friend struct SessionAccess;
};

}  // namespace lab::cuda
