// What the emulator's CUDA runtime knows about one process, for the tools around it: the runner and `lab run`.
// Student code never includes this; it sees only the CUDA headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::cuda {

// One kernel launch: what ran, what it counted, how long the model says it takes.
struct LaunchRecord {
    std::string kernel;  // demangled, without arguments' values: "matmul_tiled<16>(float const*, float const*, float*, int)"
    std::string mangled;
    machine::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;  // static and dynamic
    std::uint32_t dynamic_shared_bytes = 0;
    machine::Counters counters;
    double modelled_ms = 0;
    std::string bound;   // which part of the device the model says is the limit: "DRAM"
    std::string device;  // "h100"
    std::string where;   // "file.cu:12" of the <<<>>>, or ""
};

// A call of the runtime API that failed or was wrong, for the host-side checks (leaks, copies of wrong size or direction).
struct ApiFinding {
    std::string call;     // "cudaMemcpy"
    int error = 0;        // cudaError_t
    std::string text;     // one or more lines, for a student
    bool misuse = false;  // the call is a mistake of the program's (double free, wrong direction), whatever it returned
    std::string where;    // "file.cu:12" or ""
};

struct ApiCounts {
    std::uint64_t allocations = 0, frees = 0, copies = 0, launches = 0, failed_calls = 0;
    std::uint64_t live_allocations = 0, live_bytes = 0;
    std::uint64_t error_queries = 0;  // cudaGetLastError, cudaPeekAtLastError
};

struct Options {
    std::string device = "h100";
    std::uint64_t max_instructions = 0;  // warp instructions a launch; 0: the device's default
    unsigned threads = 0;
    machine::Checks checks;
};

class Session {
public:
    static Session& instance();

    void configure(const Options& options);
    [[nodiscard]] const Options& options() const;

    // Everything since the last call of the same function, in order.
    [[nodiscard]] std::vector<LaunchRecord> take_launches();
    [[nodiscard]] std::vector<machine::Fault> take_faults();  // faults and hazards of launches
    [[nodiscard]] std::vector<ApiFinding> take_api_findings();
    [[nodiscard]] ApiCounts take_api_counts();

    // The n-th allocation from now (1: the next) fails with cudaErrorMemoryAllocation; 0 switches that off.
    void fail_allocation(std::uint64_t n);
    // The n-th launch from now fails with cudaErrorLaunchOutOfResources; 0 switches that off.
    void fail_launch(std::uint64_t n);
    // The n-th copy from now that nothing else is wrong with fails with cudaErrorECCUncorrectable; 0 switches that off.
    void fail_copy(std::uint64_t n);

    // Text on live allocations, as `lab run` prints at exit; "" when there are none.
    [[nodiscard]] std::string leak_report() const;
    // Frees everything, clears errors and statistics: as cudaDeviceReset, and after a sticky error too.
    void reset();

private:
    Session();
    struct State;
    State* state_;
    friend struct SessionAccess;
};

}  // namespace lab::cuda
