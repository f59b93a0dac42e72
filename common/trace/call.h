// Record of one call of a student's function: launches, findings, and the host code's calls of the runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/trace/launch.h"

namespace lab::trace {

// Where a copy or fill reads or writes.
struct End {
    std::string array{};  // an array's name, or a variable's; "" if it is neither
    bool is_device = false;
    std::uint32_t allocated_at = 0;  // line; 0: unknown
    std::uint64_t block = 0;         // a number for each allocation; 0: none
    std::uint64_t size = 0;          // size of the object in bytes
    std::int64_t offset = 0;         // bytes from its start
};

struct Fill {
    std::string call;          // "cudaMemset"
    std::uint32_t line = 0;    // 0: unknown
    std::size_t order = 0;     // number of the copy or fill
    std::size_t launches = 0;  // before it
    End to;
};

struct Copy {
    std::string call;  // "cudaMemcpy"
    std::uint32_t line = 0;
    std::size_t order = 0, launches = 0;
    std::uint64_t bytes = 0;
    End to, from;
};

// Argument of a kernel launch.
struct Argument {
    bool is_pointer = false;
    std::string array{};      // that the pointer leads into; "" if it has no name
    std::int64_t offset = 0;  // bytes from its start
    std::int64_t number = 0;  // value of a 4-byte integer
};

struct ApiCounts {
    std::int64_t allocations = 0, frees = 0, copies = 0, launches = 0, failed_calls = 0;
    std::int64_t copies_to_host = 0;  // from device memory
    std::int64_t error_queries = 0;   // cudaGetLastError, cudaPeekAtLastError
    std::int64_t misuses = 0;         // findings that are mistakes, each time counted
    std::int64_t leaked_allocations = 0, leaked_bytes = 0;
};

// Elements of an output that no kernel stored.
struct Elsewhere {
    std::size_t count = 0, first = 0;
    std::string call;  // that copied them there, with its line; "" if unknown
};

// Peak rates of a GPU; 0 if unknown.
struct Peaks {
    double memory_gb_per_s = 0, float_gflop_per_s = 0, double_gflop_per_s = 0;
};

struct CallTrace {
    std::string backend;  // "emulator", "gpu" or "host"
    std::string device;
    std::vector<Launch> launches;   // in their order
    std::vector<Finding> findings;  // those of kernels come first
    // In order, or none of more than 64 copies and fills.
    std::vector<Copy> copies;
    std::vector<Fill> fills;
    std::vector<std::vector<Argument>> arguments;  // of the first 64 launches
    ApiCounts api;
    Peaks peaks;
};

}  // namespace lab::trace
