// Interface of the machine: places a parsed module in memory and runs its kernels, with effects, counts and findings.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/machine/memory.h"
#include "common/emulator/options.h"
#include "common/emulator/ptx/module.h"
#include "common/findings/finding.h"
#include "common/trace/launch.h"

namespace lab::machine {

using Dim3 = trace::Size;
using trace::Counters;
using trace::MemoryCounts;
using trace::one_q4;
using trace::one_q6;
using trace::WarpWork;

// What the memory instructions of one place in the source have counted; of the counters only those of memory are set.
struct PlaceCounts {
    ptx::Location where;
    Counters counters;
};

struct KernelCode;  // a kernel with the device functions that it calls, decoded
class AccessRules;
class BlockSampler;
class KernelAnalysis;
class Observer;

// A module placed in memory: its variables have addresses, its functions are decoded.
class LoadedModule {
public:
    // Throws ptx::Error naming instruction, kernel and source line for anything unsupported. Without an analysis the counters that depend
    // on it stay 0.
    LoadedModule(ptx::Module module, Memory& memory, const KernelAnalysis* analysis = nullptr);
    ~LoadedModule();
    LoadedModule(const LoadedModule&) = delete;
    LoadedModule& operator=(const LoadedModule&) = delete;

    struct KernelInfo {
        std::string name;  // mangled
        std::uint32_t parameter_bytes = 0;
        std::vector<ptx::Parameter> parameters;
        std::uint32_t static_shared_bytes = 0;
        std::uint32_t local_bytes = 0;          // a thread
        std::uint32_t registers = 0;            // an estimate: PTX has no register allocation
        std::uint32_t registers_before_20 = 0;  // the same before compute capability 2.0, where an address takes one register
        std::uint32_t max_threads = 1024;       // from .maxntid/.reqntid
        bool serial = false;                    // blocks run one after another: results depend on the order of atomics
    };
    [[nodiscard]] const KernelInfo* kernel(const std::string& mangled_name) const;
    struct Symbol {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
    };
    [[nodiscard]] std::optional<Symbol> symbol(const std::string& name) const;
    [[nodiscard]] const KernelCode* code(const std::string& mangled_name) const;
    [[nodiscard]] const ptx::Module& source() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

using emulator::Checks;
using emulator::Order;

// Interleaved memory partitions, without a hash: byte a lies in partition (a / bytes) mod count. Traffic is summed per wave of resident
// blocks.
struct Partitions {
    std::uint32_t count = 0;  // 0: none are counted
    std::uint32_t bytes = 256;
    std::uint64_t wave_blocks = 1;
};

struct LaunchConfig {
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters;   // KernelInfo::parameter_bytes of them
    std::uint64_t max_instructions = 0;  // warp instructions of the whole launch; 0: no limit
    unsigned threads = 0;                // host threads; 0: one a core
    std::uint64_t clock_mhz = 1980;      // for clock64 and globaltimer
    std::uint32_t sm_count = 132;        // for %smid, %nsmid
    Checks checks;                       // read by observers::launch, as the next two
    int compute_capability = 90;         // 10 * major + minor: whose rules accesses are counted by
    Partitions partitions;
    Order order = Order::forward;
    std::uint64_t max_blocks = 0;  // about as many run for all (chosen_blocks.h), unchecked; 0: all run. Read by observers::launch
    const std::vector<std::uint64_t>* positions = nullptr;  // positions of the blocks that run, ascending; null: all
    bool counts_by_line = false;                            // memory instructions line by line as well, after the launch
    bool records_accesses = false;                          // accesses of a few blocks. Read by observers::launch
    bool may_wait_for_host = false;                         // for what it stores to memory that both share
    bool follows_memory = false;                            // LaunchResult::touched is to be exact. Read by observers::launch
    const AccessRules* rules = nullptr;                     // how accesses are counted; required
    Observer* observer = nullptr;                           // may be null
    BlockSampler* sampler = nullptr;                        // may be null
    std::function<void(const std::string&)> print;          // device printf; called in a deterministic order, after or during the launch
    std::function<bool()> is_enough;                        // asked after 1, 2, 4, 8 ... blocks; true: no later one begins. May be empty
};

// Sectors that one request touches in one cache line, of global memory or of constants.
struct LineAccess {
    std::uint64_t line = 0;      // address / 128
    std::uint32_t interval = 0;  // barriers of the whole block passed before
    std::uint8_t sectors = 0;    // a bit each
    std::uint8_t warp = 0;       // in the block
    bool is_store = false;       // or atomic
    bool is_first = true;        // of its request
    std::uint32_t words = 0;     // bit mask of the cache line's 32 words that are touched
    bool is_constant = false;
};

// Receives the accesses of the blocks that it wants, at the end of each, in the order in which the machine ran their warps. Called by any
// worker.
class BlockSampler {
public:
    virtual ~BlockSampler() = default;
    // Number of cache lines of this block to record, the first ones of each warp, and as many of constants; 0: none.
    [[nodiscard]] virtual std::uint32_t lines_wanted(std::uint64_t block) const = 0;
    // Whether to record those of constants as well.
    [[nodiscard]] virtual bool wants_constants() const = 0;
    // Whether the block may be skipped if blocks take long.
    [[nodiscard]] virtual bool can_spare(std::uint64_t block) const = 0;
    virtual void take(std::uint64_t block, std::vector<LineAccess> accesses) = 0;
};

struct Violation;

// Atomics on the most contended cache line of global memory: sectors that requests touch, and the serialised operations on the most
// contended word of each (two for floating point). Also the sectors of all cache lines.
struct Contention {
    std::uint64_t sectors = 0, serialised = 0, all_sectors = 0;
};

// Result of a launch before observers add findings.
struct Outcome {
    Counters counters;  // all zero after a fault: progress of other blocks depends on the host
    Contention contention;
    std::shared_ptr<Violation> violation;  // null: ran to its end
    std::vector<PlaceCounts> places;       // with counts_by_line: an entry for each memory instruction that ran
    bool shuffles_from_ended = false;      // a shuffle read from a thread that had ended or does not exist
};

// Touched global memory, by device address, ascending.
struct TouchedBytes {
    std::vector<ByteRun> read, written, atomic;
    std::vector<ByteRun> system_atomic;  // of those, the ones that atomics of system scope touched
    [[nodiscard]] bool empty() const { return read.empty() && written.empty() && atomic.empty(); }
    [[nodiscard]] bool operator==(const TouchedBytes&) const = default;
};

struct LaunchResult {
    Counters counters;
    Contention contention;
    trace::PartitionCounts partitions;     // empty where the device has none, and after a fault
    bool ran_some = false;                 // counters are estimates, and what the launch computed is not whole
    bool shuffles_from_ended = false;      // see Outcome
    std::optional<Finding> fault;          // the finding that stopped the launch; `counters` are zero then
    std::vector<Finding> findings;         // races and the like, after which it went on: one for each pair of places
    std::vector<trace::LineCounts> lines;  // with LaunchConfig::counts_by_line, after a launch that ended well: by file and line
    TouchedBytes touched;                  // empty after a fault, and where only some blocks ran
    std::vector<ByteRun> constants;        // __constant__ variables that the kernel names
    std::shared_ptr<const trace::Recording> recording;  // with LaunchConfig::records_accesses, also after a fault
};

// Runs one kernel to its end. Results and counts do not depend on the number of host threads.
// Most callers want observers::launch (common/emulator/observers/launch.h), which adds the standard checks and explains faults.
[[nodiscard]] Outcome run(const LoadedModule& module, const std::string& mangled_name, const LaunchConfig& config, Memory& memory);

}  // namespace lab::machine
