// Records the student's calls of the real CUDA runtime, and finds misuse. It sees addresses and sizes; api_calls.cpp makes the calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/trace/call.h"

namespace lab::runner {

// The runtime's classification of a pointer; `either` for managed memory and unknown pointers.
enum class Side { host, device, either };
// As cudaMemcpyKind numbers them.
enum class Direction { host_to_host, host_to_device, device_to_host, device_to_device, by_pointers };

struct CopyCall {
    std::string call;  // "cudaMemcpy"
    const void* to = nullptr;
    Side to_side = Side::either;
    const void* from = nullptr;
    Side from_side = Side::either;
    std::size_t bytes = 0;
    Direction direction = Direction::by_pointers;
};

// How a kernel was launched.
struct LaunchCall {
    std::array<unsigned, 3> grid, block;
    std::size_t dynamic_shared_bytes = 0;
};

class ApiSpy {
public:
    struct Allocation {
        std::size_t bytes = 0;
        std::uint64_t number = 0;    // 1 for the first of the test
        std::byte* block = nullptr;  // the runtime's allocation: a guard zone, the array, a guard zone
    };

    static ApiSpy& instance();
    // Starts recording; allocations from now on are the student's.
    void begin(std::uint64_t allocation_to_fail, std::uint64_t launch_to_fail, std::uint64_t copy_to_fail);
    void end() { watching_ = false; }
    [[nodiscard]] bool watching() const { return watching_; }

    // Whether this call was chosen to fail.
    [[nodiscard]] bool fails_allocation();
    [[nodiscard]] bool fails_launch();
    [[nodiscard]] bool fails_copy();
    void allocated(const void* pointer, std::size_t bytes, std::byte* block);
    // The allocation that a cudaFree is about to end; none, with a finding, for misuse. If the runtime knows a freed address as device
    // memory, another call has allocated it meanwhile.
    [[nodiscard]] const Allocation* about_to_free(const void* pointer, Side side);
    void freed(const void* pointer);
    // Checks a copy. False, with a finding, for misuse.
    [[nodiscard]] bool check(const CopyCall& copy);
    void launched(const LaunchCall& launch, int error, const std::string& error_name);
    // A call of cudaGetLastError or a similar function; returns an injected failure's error. `clears`: the error is then forgotten.
    [[nodiscard]] int queried(bool clears);
    void failed(int injected_error);

    // All findings, including those at the end: leaks, and a launch error that was never queried.
    [[nodiscard]] std::vector<Finding> findings() const;
    [[nodiscard]] trace::ApiCounts counts() const;
    // Those that did not fail, with their sizes alone.
    [[nodiscard]] const std::vector<trace::Launch>& launches() const { return launch_list_; }
    [[nodiscard]] const std::map<std::uintptr_t, Allocation>& live() const { return live_; }

    std::uint64_t copies = 0, copies_to_host = 0, failed_calls = 0;  // to the host: from device memory

private:
    struct Found {
        std::uintptr_t start = 0;
        Allocation allocation;
    };
    using Allocations = std::map<std::uintptr_t, Allocation>;
    static bool find(const Allocations& all, const void* pointer, Found* found);
    [[nodiscard]] bool reaches_too_far(const CopyCall& copy, const void* pointer, Side side, const char* which);
    void note(const std::string& call, FindingKind kind, const std::string& headline, const std::string& detail);

    bool watching_ = false;
    std::uint64_t allocations_ = 0, frees_ = 0, launches_ = 0, error_queries_ = 0;
    std::uint64_t allocation_to_fail_ = 0, launch_to_fail_ = 0, copy_to_fail_ = 0;  // count down; the call that reaches 0 fails
    int pending_error_ = 0;                                                         // of an injected failure, for cudaGetLastError
    std::string unchecked_launch_;  // the error of a launch that was not queried yet: its name,
    int unchecked_error_ = 0;       // and its number
    Allocations live_, freed_;
    std::vector<Finding> findings_;
    std::vector<trace::Launch> launch_list_;
};

}  // namespace lab::runner
