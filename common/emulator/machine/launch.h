// The machine's front: place a parsed module in memory, run launches of its kernels, get effects, counts and findings.
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

// Counts of one launch, as a GPU's own counters would give them, by the rules of the device's generation.
// Requests: warp instructions that reached the memory unit. Sectors: units of 32 bytes that memory moves for them; on compute
// capability 5.0 and later each one that a request touches. Transactions: how many segments of any size those were moved in:
// of 32, 64 or 128 bytes on 1.3; later the passes through the L1 cache that they take.
// Wavefronts: passes through shared memory's banks, or through the constant cache, which serves one word a pass. Conflicts: wavefronts
// beyond those that the width itself needs.
struct MemoryCounts {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;       // global and local
    std::uint64_t transactions = 0;  // global and local
    std::uint64_t lines = 0;         // global and local: of 128 bytes, each as often as a request touches it
    std::uint64_t bytes = 0;         // asked for by the active threads
    std::uint64_t wavefronts = 0;    // shared and constant
    std::uint64_t conflicts = 0;     // shared and constant
    MemoryCounts& operator+=(const MemoryCounts& other);
};

// Duration of a warp's instructions without contention, and its waits for memory. Parts: fixed-point, in 1 / parts_an_instruction of the
// latency of a dependent instruction (timing/warp_schedule.h). Waits for loads from global (or generic) and from shared memory, as the PTX
// text has them (timing/load_waits.h): fixed-point, in sixteenths.
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
    // Of the global ones, those to page-locked memory of the host, which go over the bus. Atomics count as stores.
    MemoryCounts mapped_load, mapped_store;
    // What decides how long blocks live: the work of the slowest warp of each block, from one of its barriers to the next, summed over
    // barriers and blocks; and how many barriers those were.
    WarpWork slowest;
    std::uint64_t block_barriers = 0;
    // Of the loads from shared memory, those that hardware's compiler leaves out, as it makes one wide load of several, and the passes
    // that this saves (vectorised_loads.h).
    std::uint64_t joined_instructions = 0, joined_wavefronts = 0;
    // Warp instructions as SASS has them (timing/sass.h, timing/unrolled_loops.h), and of those the ones that take certain lanes.
    std::uint64_t machine_instructions = 0, fp32_instructions = 0, fp64_instructions = 0, special_instructions = 0;
    std::uint64_t branches = 0;            // warp-level branch instructions
    std::uint64_t divergent_branches = 0;  // of those, with lanes going both ways
    std::uint64_t barriers = 0;            // warp-level bar.sync executed
    std::uint64_t exited_at_barriers = 0;  // threads that had exited before a barrier of their block, at each barrier
    std::uint64_t warps = 0;
    std::uint64_t blocks = 0;
    // Lines of global memory, each as often as it is asked for.
    [[nodiscard]] std::uint64_t global_lines() const { return global_load.lines + global_store.lines + global_atomic.lines; }
    Counters& operator+=(const Counters& other);
};
// What blocks alike would count, `to` of them, as `from` have counted this; to the nearest.
[[nodiscard]] Counters scaled(const Counters& counters, std::uint64_t to, std::uint64_t from);

// What the memory instructions of one place in the source have counted; of the counters only those of memory are set.
struct PlaceCounts {
    ptx::Location where;
    Counters counters;
};
struct LineCounts {
    std::string file;  // "" if unknown
    std::uint32_t line = 0;
    Counters counters;
};

struct Recording;   // recording.h
struct KernelCode;  // a kernel with the device functions that it calls, decoded
class AccessRules;
class BlockSampler;
class KernelAnalysis;
class Observer;

// A module placed in memory: its variables have addresses, its functions are decoded.
class LoadedModule {
public:
    // Throws ptx::Error naming instruction, kernel and source line for anything that the machine doesn't have. Without an analysis
    // the counters that rest on it stay 0.
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
        std::uint32_t registers_before_20 = 0;  // the same before compute capability 2.0, where addresses take one
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

// What is looked for besides the faults that stop a launch.
struct Checks {
    bool races = true;            // shared memory: between two barriers
    bool global_races = false;    // global memory: in a block between two barriers, and between blocks
    bool lockstep = true;         // volatile accesses of one warp are ordered, as code before compute capability 7.0 assumed
    bool initialisation = false;  // reads of shared, local and global memory that was never written
    // Without these two the launch goes on where hardware since compute capability 7.0 would.
    bool barriers = true;  // barriers that not all threads reach, masks of warp-level operations that don't fit
    bool bounds = true;    // accesses outside of what was allocated
    // As strict as grading is.
    [[nodiscard]] static Checks all() { return {true, true, false, true, true, true}; }
    [[nodiscard]] static Checks none() { return {false, false, true, false, false, false}; }
};

// Scheduling order of blocks and warps. Nothing that a kernel computes may depend on it.
enum class Order : std::uint8_t { forward, reversed };

// Interleaved memory partitions, without a hash: byte a lies in partition (a / bytes) mod count. Blocks are
// looked at in waves of as many as the device holds at a time.
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
    bool records_accesses = false;                          // of a few blocks. Read by observers::launch
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
    std::uint32_t words = 0;     // of the line's 32, those of which a byte is touched
    bool is_constant = false;
};

// Gets what the blocks that it wants have accessed, at the end of each, in the order in which the machine ran their warps. Asked and called
// by any worker.
class BlockSampler {
public:
    virtual ~BlockSampler() = default;
    // How many lines of this block it wants to see, each warp's first ones, of constants as many again; 0: none.
    [[nodiscard]] virtual std::uint32_t lines_wanted(std::uint64_t block) const = 0;
    // Whether it wants to see those of constants as well.
    [[nodiscard]] virtual bool wants_constants() const = 0;
    // Of those, the blocks that it can do without where each takes long.
    [[nodiscard]] virtual bool can_spare(std::uint64_t block) const = 0;
    virtual void take(std::uint64_t block, std::vector<LineAccess> accesses) = 0;
};

struct Violation;

// Atomics on the most contended cache line of global memory: sectors that requests touch, and the serialised operations on the most
// contended word of each (two for floating point). And the sectors of all cache lines.
struct Contention {
    std::uint64_t sectors = 0, serialised = 0, all_sectors = 0;
};

// Result of a launch before the observers have made findings of it.
struct Outcome {
    Counters counters;  // all zero after a fault: how far other blocks had come by then depends on the host
    Contention contention;
    std::shared_ptr<Violation> violation;  // null: ran to its end
    std::vector<PlaceCounts> places;       // with counts_by_line: an entry for each memory instruction that ran
};

// Bytes that a launch moved through the device's partitions.
struct PartitionTraffic {
    std::vector<std::uint64_t> bytes;  // of each partition; empty: not counted
    std::uint64_t busiest = 0;         // of each wave's busiest partition, summed over the waves
    [[nodiscard]] std::uint64_t total() const { return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}); }
    // The busiest partition's traffic over the mean, wave by wave, weighted by the waves' traffic: 1 when all partitions always
    // have the same to do, their number when it is one at a time. 0 where there is no traffic.
    [[nodiscard]] double camping() const {
        const std::uint64_t all = total();
        return all == 0 ? 0 : static_cast<double>(bytes.size()) * static_cast<double>(busiest) / static_cast<double>(all);
    }
};

struct PartitionCounts {
    PartitionTraffic load, store, both;
    std::uint64_t waves = 0;
    std::vector<std::uint64_t> load_waves, store_waves;  // bytes [wave][partition]
};

// Of global memory, by device address, ascending.
struct TouchedBytes {
    std::vector<ByteRun> read, written, atomic;
    std::vector<ByteRun> system_atomic;  // of those, the ones that atomics of system scope touched
    [[nodiscard]] bool empty() const { return read.empty() && written.empty() && atomic.empty(); }
    [[nodiscard]] bool operator==(const TouchedBytes&) const = default;
};

struct LaunchResult {
    Counters counters;
    Contention contention;
    PartitionCounts partitions;                  // empty where the device has none, and after a fault
    bool ran_some = false;                       // counters are estimates, and what the launch computed is not whole
    std::optional<Finding> fault;                // what stopped the launch; `counters` are zero then
    std::vector<Finding> findings;               // races and the like, after which it went on: one for each pair of places
    std::vector<LineCounts> lines;               // with LaunchConfig::counts_by_line, after a launch that ended well: by file and line
    TouchedBytes touched;                        // empty after a fault, and where only some blocks ran
    std::vector<ByteRun> constants;              // __constant__ variables that the kernel names
    std::shared_ptr<const Recording> recording;  // with LaunchConfig::records_accesses, also after a fault; null where only some blocks ran
};

// Runs one kernel to its end. Results and counts do not depend on the number of host threads.
// Most callers want observers::launch (common/emulator/observers/launch.h), which adds the standard checks and explains faults.
[[nodiscard]] Outcome run(const LoadedModule& module, const std::string& mangled_name, const LaunchConfig& config, Memory& memory);

}  // namespace lab::machine
