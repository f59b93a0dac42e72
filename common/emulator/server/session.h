// The emulator's CUDA runtime as seen by the tools around it: the runner and `lab run`. Student code never includes this; it sees only the
// CUDA headers.
#pragma once

#include <array>
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
#include "common/trace/call.h"

namespace lab::cuda {

struct Options : emulator::Options {
    // Limit on warp instructions of all launches since configure(). A launch beyond it ends with a fault. 0: no limit.
    std::uint64_t max_instructions_together = 0;
};

// Copies and fills as they are made, in rows of bytes.
struct WatchedCopy {
    struct End {
        const void* pointer = nullptr;  // null: a fill has no source
        std::uint64_t pitch = 0;        // bytes from one row's start to the next one's
        bool is_device = false;         // device memory; the host can access all other memory, too
    };
    std::string call;  // "cudaMemcpy2D"
    SourceLine where;
    End to, from;
    std::uint64_t width = 0, height = 0;  // bytes, rows
    const std::byte* arrived = nullptr;   // what was copied, in rows; null from host to host
    std::uint64_t arrived_pitch = 0;      // bytes from one of those rows to the next
    double modelled_ms = 0;
};

// An array of the host's that a caller knows.
struct HostArray {
    std::string name;
    std::uint64_t begin = 0, bytes = 0;
};

// A launch as it begins.
struct WatchedLaunch {
    const void* function = nullptr;  // the host's stub
    std::array<unsigned, 3> grid{}, block{};
    std::size_t shared_bytes = 0;  // dynamic
    std::vector<std::byte> parameters;
    const char* file = nullptr;  // source file of the call; valid as long as the device
    int line = 0;
};

// Callbacks for launches and copies, each called on the thread that makes them.
struct Watcher {
    std::function<void(const WatchedLaunch&)> launch_begins;
    std::function<void(const WatchedCopy&)> copied;
    std::function<void(std::uint32_t)> stored_for_host;  // a word stored by a kernel in memory that the host reads directly
};

class Session {
public:
    static Session& instance();

    // Sets options. Findings of kernels are no longer printed: take_kernel_findings() returns them.
    void configure(const Options& options);
    [[nodiscard]] const Options& options() const;

    // All launches since the last call, in order; the functions below do the same for findings.
    [[nodiscard]] std::vector<trace::Launch> take_launches();
    [[nodiscard]] std::vector<Finding> take_kernel_findings();
    // Findings of runtime API calls that failed or were misused, and of host code that violated its rules.
    [[nodiscard]] std::vector<Finding> take_api_findings();
    [[nodiscard]] trace::ApiCounts take_api_counts();  // all live allocations count as leaked

    // Starts the program's part, on which end_watch() reports.
    void begin_watch();
    // Ends the program's part: memory that is not freed and launch errors that were never queried become findings.
    void end_watch();

    // Replaces the previous watcher.
    void watch(Watcher watcher);

    // The n-th allocation from now (1: the next) fails with cudaErrorMemoryAllocation; 0 switches that off.
    void fail_allocation(std::uint64_t n);
    // The n-th launch from now fails with cudaErrorLaunchOutOfResources; 0 switches that off.
    void fail_launch(std::uint64_t n);
    // The n-th copy from now that is otherwise valid fails with cudaErrorECCUncorrectable; 0 switches that off.
    void fail_copy(std::uint64_t n);

    // Replaces the PTX of one of the program's units by another text with the same kernels, names and parameters. This corresponds to a
    // program whose device pass was run again without its host pass. All device memory is new. Throws std::invalid_argument if no unit has
    // these kernels, or several have.
    void replace_kernels(const std::string& ptx);

    // The object at this address of device memory, page-locked memory or a variable, and the position in it.
    [[nodiscard]] Location locate(const void* device) const;

    // Marks this device memory as never written, for the initialisation check.
    void forget_written(const void* device, std::uint64_t bytes);

    // Live allocations as text, as `lab run` prints at exit; "" if there are none.
    [[nodiscard]] std::string leak_report() const;
    // Reason why the host can't access an address: "your host code used the device pointer ...", or "cudaMemcpy at file.cu:12 reads 4096
    // bytes of host memory, ..." (or "of M, ..." if `array` lies around the address); nothing if the address belongs neither to the device
    // nor to a running copy.
    [[nodiscard]] std::optional<Finding> explain_host_access(std::uint64_t address, const HostArray& array = {}) const;
    // Clears the last error of each of the program's threads.
    void forget_errors();
    // Frees everything, clears errors and statistics: like cudaDeviceReset, but also after a sticky error.
    void reset();

private:
    Session();
    struct State;
    State* state_;
    friend struct SessionAccess;
};

}  // namespace lab::cuda
