// What student code asked of the real CUDA runtime. The linker's --wrap leads its calls through here (see CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace lab::runner {

struct ApiSpy {
    std::uint64_t allocations = 0, frees = 0, copies = 0, launches = 0, failed_calls = 0, error_queries = 0;
    std::map<const void*, std::size_t> live;  // bytes by address
    std::uint64_t fail_allocation = 0;        // counts down; the call that reaches 1 fails
    std::uint64_t fail_launch = 0;
    std::uint64_t fail_copy = 0;
    int pending_error = 0;  // of an injected failure, as cudaGetLastError will tell it

    static ApiSpy& instance();
    // Counts from here on; what is allocated now is not the student's.
    void begin(std::uint64_t allocation_to_fail, std::uint64_t launch_to_fail, std::uint64_t copy_to_fail);
};

}  // namespace lab::runner
