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
#include "common/emulator/ptx/module.h"
#include "common/findings/finding.h"

namespace lab::machine {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// Memory counts of one launch, equal to a GPU's own counters, by the rules of the device's generation.
// Requests: warp instructions that reached the memory unit.
// Sectors: units of 32 bytes that memory moves for them; on compute capability 5.0 and later each one that a request touches.
// Transactions: on 1.3, segments of 32, 64 or 128 bytes that these were moved in; later, wavefronts through the L1 cache.
// Wavefronts: passes through shared memory's banks, or through the constant cache, which serves one word a pass.
// Conflicts: wavefronts beyond those that the access width needs.
struct MemoryCounts {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;       // global and local
    std::uint64_t transactions = 0;  // global and local
    std::uint64_t lines = 0;         // global and local: cache lines of 128 bytes, counted once for each request that touches them
    std::uint64_t bytes = 0;         // requested by the active threads
    std::uint64_t wavefronts = 0;    // shared and constant
    std::uint64_t conflicts = 0;     // shared and constant
    MemoryCounts& operator+=(const MemoryCounts& other);
};

// Duration of a warp's instructions without contention, and its waits for memory. Parts: fixed-point, in 1 / parts_an_instruction of the
// latency of a dependent instruction (timing/warp_schedule.h). Waits for loads from global (or generic) and from shared memory, by the PTX
// text (timing/load_waits.h): fixed-point, in 1 / sixteenths_a_wait.
constexpr std::uint64_t sixteenths_a_wait = 16;
constexpr std::uint32_t parts_an_instruction = 64;
struct WarpWork {
    std::uint64_t parts = 0, global_wait_sixteenths = 0, shared_wait_sixteenths = 0;
    WarpWork& operator+=(const WarpWork& other);
};

struct Counters {
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    MemoryCounts global_load, global_store, global_atomic, local_load, local_store, shared_load, shared_store, shared_atomic;
    MemoryCounts constant_load;
    // Global accesses to page-locked host memory, which use the bus. Atomics count as stores.
    MemoryCounts mapped_load, mapped_store;
    // Determines block residency: the work of each block's slowest warp between two of its barriers, summed over barriers and blocks; and
    // the number of those barriers.
    WarpWork slowest;
    std::uint64_t block_barriers = 0;
    // Shared-memory loads that ptxas removes by vectorisation, and the wavefronts that this saves (vectorised_loads.h).
    std::uint64_t joined_instructions = 0, joined_wavefronts = 0;
    // Warp instructions in SASS (timing/sass.h, timing/unrolled_loops.h), and those that use the fp32, fp64 and special-function units.
    std::uint64_t machine_instructions = 0, fp32_instructions = 0, fp64_instructions = 0, special_instructions = 0;
    std::uint64_t branches = 0;            // warp-level branch instructions
    std::uint64_t divergent_branches = 0;  // those at which lanes took both ways
    std::uint64_t barriers = 0;            // warp-level bar.sync executed
    std::uint64_t exited_at_barriers = 0;  // threads that had exited before a barrier of their block, at each barrier
    std::uint64_t warps = 0;
    std::uint64_t blocks = 0;
    // Cache lines of global memory, counted once for each request.
    [[nodiscard]] std::uint64_t global_lines() const { return global_load.lines + global_store.lines + global_atomic.lines; }
    Counters& operator+=(const Counters& other);
};
// Counts of `to` similar blocks if `from` blocks have counted this, rounded to nearest.
[[nodiscard]] Counters scaled(const Counters& counters, std::uint64_t to, std::uint64_t from);

// Counts of the memory instructions at one source position; only the memory counters are set.
struct PlaceCounts {
    ptx::Location where;
    Counters counters;
};
struct LineCounts {
    std::string file;  // "" if unknown
    std::uint32_t line = 0;
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
    [[nodiscard]] std::vector<std::string> kernel_names() const;
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

// Optional checks beside the faults that always end a launch.
struct Checks {
    bool races = true;            // shared memory: between two barriers
    bool global_races = false;    // global memory: in a block between two barriers, and between blocks
    bool lockstep = true;         // volatile accesses of one warp are ordered, as code before compute capability 7.0 assumed
    bool initialisation = false;  // reads of shared, local and global memory that was never written
    // Without these two the launch continues like hardware since compute capability 7.0.
    bool barriers = true;  // barriers that not all threads reach, masks of warp-level operations that don't fit
    bool bounds = true;    // accesses outside of what was allocated
    // The checks of grading.
    [[nodiscard]] static Checks all() { return {true, true, false, true, true, true}; }
    [[nodiscard]] static Checks none() { return {false, false, true, false, false, false}; }
};

// Scheduling order of blocks and warps. No result of a correct kernel depends on it.
enum class Order : std::uint8_t { forward, reversed };

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
    bool counts_by_line = false;                            // also counts memory instructions by source line
    bool follows_memory = false;                            // LaunchResult::touched is to be exact. Read by observers::launch
    const AccessRules* rules = nullptr;                     // how accesses are counted; required
    Observer* observer = nullptr;                           // may be null
    BlockSampler* sampler = nullptr;                        // may be null
    std::function<void(const std::string&)> print;          // device printf; called in a deterministic order, after or during the launch
    const std::function<bool()>* interrupted = nullptr;     // polled now and then; true stops the launch
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
};

// Bytes that a launch moved through the device's partitions.
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

struct PartitionCounts {
    PartitionTraffic load, store, both;
    std::uint64_t waves = 0;
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
    PartitionCounts partitions;      // empty where the device has none, and after a fault
    bool ran_some = false;           // counters are estimates, and results are incomplete
    std::optional<Finding> fault;    // fault that ended the launch; `counters` are zero then
    std::vector<Finding> findings;   // races and other findings after which it continued: one for each pair of places
    std::vector<LineCounts> lines;   // with LaunchConfig::counts_by_line, after a launch that ended well: by file and line
    TouchedBytes touched;            // empty after a fault, and where only some blocks ran
    std::vector<ByteRun> constants;  // __constant__ variables that the kernel names
};

// Runs one kernel to its end. Results and counts do not depend on the number of host threads.
// Most callers want observers::launch (common/emulator/observers/launch.h), which adds the standard checks and explains faults.
[[nodiscard]] Outcome run(const LoadedModule& module, const std::string& mangled_name, const LaunchConfig& config, Memory& memory);

}  // namespace lab::machine
