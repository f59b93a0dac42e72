// A launch as the emulator's device leaves it, for suites, `lab run --json`, profiles and reports.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/trace/counters.h"
#include "common/trace/modelled_time.h"
#include "common/trace/recording.h"

namespace lab::trace {

// Size of a grid, in blocks, or of a block, in threads.
struct Size {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// Warps that an SM can hold of a kernel, by the needs of its blocks.
struct Occupancy {
    double theoretical = 0;       // of the warps that an SM has room for: 0 to 1
    std::uint32_t blocks = 0;     // an SM
    std::string limit;            // the scarcest resource: "shared memory"
    std::uint32_t registers = 0;  // a thread: an estimate, as PTX has no register allocation
};

// Counters of the memory accesses that a line of the source made.
struct LineCounts {
    std::string file;  // "" if unknown
    std::uint32_t line = 0;
    Counters counters;
};

// Bytes that a launch moved through the partitions of the device's memory.
struct PartitionTraffic {
    std::vector<std::uint64_t> bytes;  // of each partition; empty: not counted
    std::uint64_t busiest = 0;         // of each wave's busiest partition, summed over the waves
    [[nodiscard]] std::uint64_t total() const { return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}); }
    // Traffic of the busiest partition over the mean, wave by wave, weighted by the waves' traffic: 1 if all partitions are equally busy,
    // their number if only one is busy at a time. 0 without traffic.
    [[nodiscard]] double camping() const {
        const std::uint64_t all = total();
        return all == 0 ? 0 : static_cast<double>(bytes.size()) * static_cast<double>(busiest) / static_cast<double>(all);
    }
};

// Waves: as many blocks as the device holds at a time.
struct PartitionCounts {
    PartitionTraffic load, store, both;
    std::uint64_t waves = 0;
    std::vector<std::uint64_t> load_waves, store_waves;  // bytes [wave][partition]
};

struct Launch {
    std::string kernel;  // demangled, without arguments' values: "matmul_tiled<16>(float const*, float const*, float*, int)"
    std::string mangled;
    Size grid, block;
    std::uint32_t shared_bytes = 0;  // of a block, static and dynamic
    std::uint32_t dynamic_shared_bytes = 0;
    Counters counters;
    Occupancy occupancy;
    double modelled_ms = 0;
    std::string bound;                           // the part of the device that the model says is the limit: "DRAM"
    ModelledTime model;                          // the parts of modelled_ms
    std::string device;                          // "h100"
    bool is_estimate = false;                    // some blocks ran for all: counts are estimates, and the kernel's results are not whole
    bool has_fault = false;                      // it did not run to its end: nothing was counted
    PartitionCounts partitions;                  // empty where the device has none
    SourceLine where;                            // the <<<>>>
    std::vector<LineCounts> lines;               // if they are asked for
    std::shared_ptr<const Recording> recording;  // likewise

    // Parameters as given, which JSON lacks.
    struct Parameter {
        std::uint64_t value = 0;  // its first 8 bytes at most
        std::uint32_t bytes = 0;
    };
    std::vector<Parameter> parameters;

    // The object of this name in a space, or null.
    [[nodiscard]] const Recording::Object* object(const std::string& name, Space space) const;
    // "M", "the array allocated at kernel.cu:40"; "" if unknown.
    [[nodiscard]] std::string name_of(const Recording::Access& access) const;
};

}  // namespace lab::trace
