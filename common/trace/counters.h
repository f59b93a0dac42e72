// The counters of a launch, as a GPU's own would give them by the rules of the device's generation. Their table is counters.inc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::trace {

struct MemoryCounts {
#define MEMORY_COUNT(name, ...) std::uint64_t name = 0;
#include "common/trace/counters.inc"
    MemoryCounts& operator+=(const MemoryCounts& other);
};

// Fixed point: Q4 has 4 fractional bits, Q6 has 6.
constexpr std::uint64_t one_q4 = 1U << 4U;
constexpr std::uint32_t one_q6 = 1U << 6U;

// Duration of a warp's instructions without contention (timing/warp_schedule.h), and its waits for memory (timing/load_waits.h).
struct WarpWork {
#define WARP_WORK(member, ...) std::uint64_t member = 0;
#include "common/trace/counters.inc"
    WarpWork& operator+=(const WarpWork& other);
};

struct Counters {
#define ACCESS(name, ...) MemoryCounts name;
#define COUNTER(member, ...) std::uint64_t member = 0;
#include "common/trace/counters.inc"
    WarpWork slowest;

    // Cache lines of global memory, each as often as a request touches it.
    [[nodiscard]] std::uint64_t global_lines() const { return global_load.lines + global_store.lines + global_atomic.lines; }
    Counters& operator+=(const Counters& other);
};
// Counts of `to` blocks like the `from` that have counted this, to the nearest.
[[nodiscard]] Counters scaled(const Counters& counters, std::uint64_t to, std::uint64_t from);

enum class CounterUnit : std::uint8_t {
    instructions,
    sectors,
    transactions,
    lines,
    bytes,
    wavefronts,
    barriers,
    threads,
    warps,
    blocks,
    latencies,
    waits
};
[[nodiscard]] const char* name_of(CounterUnit unit);

// Place of a counter in JSON: with the launch, with each line of the source, or with both.
enum class Reported : std::uint8_t { everywhere, by_launch, by_line, if_not_zero, nowhere };

// Names in the profilers, "" where they have none.
struct ProfilerNames {
    const char* ncu = "";        // Nsight Compute's counter of the same
    const char* nvprof = "";     // the old profiler's metric
    const char* successor = "";  // Nsight Compute's successor of that metric, where it counts more than `ncu` does
    // The name in Nsight Compute to look for beside nvprof's.
    [[nodiscard]] const char* counterpart() const { return *successor != 0 ? successor : ncu; }
};

// A row of the table.
struct CounterRow {
    std::string_view group;  // in JSON; "" for a field of the launch itself
    std::string_view name;
    CounterUnit unit = CounterUnit::instructions;
    Reported reported = Reported::nowhere;
    std::string_view of;           // the accesses that are counted: "loads from global memory"; "" for other counters
    std::string_view description;  // the quantity counted
    ProfilerNames profilers{};
    std::uint32_t one = 1;  // `stored` for a count of 1: more in fixed point
    // Its place: of a kind of access, of the slowest warps, or of neither.
    MemoryCounts Counters::*access = nullptr;
    std::uint64_t MemoryCounts::*access_count = nullptr;
    std::uint64_t WarpWork::*work = nullptr;
    std::uint64_t Counters::*plain = nullptr;

    [[nodiscard]] std::uint64_t& stored(Counters& counters) const;
    [[nodiscard]] std::uint64_t stored(const Counters& counters) const;
    [[nodiscard]] double count(const Counters& counters) const { return static_cast<double>(stored(counters)) / one; }
    [[nodiscard]] bool is_of_launch() const { return reported == Reported::everywhere || reported == Reported::by_launch; }
    [[nodiscard]] bool is_of_line() const { return reported == Reported::everywhere || reported == Reported::by_line; }
};

// All of them, in the table's order.
[[nodiscard]] const std::vector<CounterRow>& counter_rows();
// Throws std::out_of_range if there is no such row.
[[nodiscard]] const CounterRow& counter_row(std::string_view group, std::string_view name);

}  // namespace lab::trace
