// Races in global memory: between threads of one block within a barrier interval, and between blocks at any time. Two accesses to the same
// bytes race if at least one writes and not both are atomic. Only memory that the kernel may write to is tracked (by the origin of its
// stores' addresses), so inputs cost nothing.
//
// Each granule (4 bytes; 1 in kernels with narrower accesses) keeps the last write, two reads since then by different threads or blocks,
// and two atomics, one word each. That detects every race and names one pair of it. Blocks are checked in scheduling order
// (scheduling_order.h). A synchronisation of some lanes of a warp is assumed to order all of them. Kernels that synchronise blocks
// themselves (a device-wide fence and atomics or volatile accesses) are checked inside each block only. There an atomic orders what its
// thread did before it with what a thread does that reads its word later, so a lock excludes a race.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <vector>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/observers/scheduling_order.h"

namespace lab::observers {

// An access packed into one word. Its numbers are kept modulo their field sizes: blocks by 2^20, memory instructions by 2^14, intervals by
// 2^12, epochs by 2^6. An accidental match can only hide a race.
inline constexpr unsigned thread_bits = 10, op_bits = 14, interval_bits = 12, epoch_bits = 6, block_bits = 20;
inline constexpr unsigned op_at = thread_bits, interval_at = op_at + op_bits, epoch_at = interval_at + interval_bits;
inline constexpr unsigned block_at_bit = epoch_at + epoch_bits;
inline constexpr std::uint64_t several_threads = 1ULL << 62U;  // readers: other threads of the block read in the same interval, too
inline constexpr std::uint64_t several_blocks = 1ULL << 63U;   // readers: other blocks read, too

constexpr std::uint64_t field(std::uint64_t touch, unsigned at, unsigned bits) { return (touch >> at) & ((1ULL << bits) - 1); }
constexpr std::uint64_t thread_of(std::uint64_t touch) { return field(touch, 0, thread_bits); }
constexpr std::uint64_t op_of(std::uint64_t touch) { return field(touch, op_at, op_bits); }
constexpr std::uint64_t moment_of(std::uint64_t touch) { return field(touch, interval_at, interval_bits); }
constexpr std::uint64_t epoch_of(std::uint64_t touch) { return field(touch, epoch_at, epoch_bits); }
constexpr std::uint64_t block_of(std::uint64_t touch) { return field(touch, block_at_bit, block_bits); }

// Never 0 for a block: 0 means none.
inline std::uint64_t block_number(std::uint64_t position) { return position % ((1ULL << block_bits) - 1) + 1; }

// One word per granule. Memory is zeroed and allocated on first touch.
class Words {
public:
    explicit Words(std::uint64_t count) : count_(count) {}
    ~Words() {
        if (words_ != nullptr) ::munmap(words_, count_ * sizeof(std::uint64_t));
    }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    [[nodiscard]] bool used() const { return words_ != nullptr; }
    std::uint64_t* from(std::uint64_t granule) {
        if (words_ == nullptr) {
            void* const fresh =
                ::mmap(nullptr, count_ * sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (fresh == MAP_FAILED) throw std::bad_alloc();
            // Fewer page faults. Of a larger array perhaps only a few elements are accessed.
            constexpr std::uint64_t max_huge = std::uint64_t{64} << 20;
            if (count_ * sizeof(std::uint64_t) <= max_huge) ::madvise(fresh, count_ * sizeof(std::uint64_t), MADV_HUGEPAGE);
            words_ = static_cast<std::uint64_t*>(fresh);
        }
        return words_ + granule;
    }

private:
    std::uint64_t count_;
    std::uint64_t* words_ = nullptr;
};

// One of two conflicting accesses.
struct GlobalTouch {
    std::uint64_t linear = 0;  // block
    std::uint32_t thread = 0;  // in the block, linear
    const machine::MemoryOp* op = nullptr;
};

struct GlobalRace {
    GlobalTouch earlier, later;
    bool between_blocks = false;
    bool several_write = false;  // threads of its write also race with other plain writes
    std::uint64_t address = 0;
    std::uint64_t position = 0;  // of the later one's block, in the scheduling order
    std::uint64_t count = 0;     // until there are enough
    bool is_excused = false;     // as defined by checked_by_swap()
};

class GlobalRaces final : public GlobalChecker {
public:
    GlobalRaces(const machine::KernelCode& kernel, const machine::LaunchConfig& config, const machine::Memory& memory);
    ~GlobalRaces() override;
    GlobalRaces(const GlobalRaces&) = delete;
    GlobalRaces& operator=(const GlobalRaces&) = delete;
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    // Checks accesses of one block; blocks come in scheduling order.
    void look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) override;
    [[nodiscard]] bool has_enough() const override { return found_ >= max_found; }
    // One race for each pair of memory instructions, in the order of detection; without blocks after position `last`.
    [[nodiscard]] std::vector<GlobalRace> races(std::uint64_t last) const;

private:
    struct Touchers;
    struct Shadow;
    struct Side;
    Shadow* shadow_of(std::uint64_t address);
    void check(Shadow& shadow, std::uint64_t granule, const Side& me);
    static void remember_flag(Shadow& shadow, std::uint64_t granule, const Side& me);
    void remember(Shadow& shadow, std::uint64_t granule, const Side& me, bool beside_others) const;
    std::uint64_t clashing(Touchers& touchers, std::uint64_t granule, const Side& me) const;
    void clash(std::uint64_t earlier, const Side& me, const Shadow& shadow, std::uint64_t granule);
    bool ordered(std::uint64_t earlier, const Side& me) const;
    [[nodiscard]] bool changes_nothing(const machine::GlobalAccess& access, Shadow& shadow) const;
    template <typename Visit>
    void for_each_granule(const machine::GlobalAccess& access, std::uint64_t of_warp, const Visit& visit);
    bool is_own(const machine::GlobalAccess& access, const Side& me);
    [[nodiscard]] bool is_replaced(std::span<const machine::GlobalAccess> accesses, std::size_t at) const;
    void look_at_lanes(const machine::GlobalAccess& access, Side me);
    [[nodiscard]] std::set<const machine::MemoryOp*> clashing_stores(std::uint64_t last) const;

    const machine::KernelCode& kernel_;
    const machine::LaunchConfig& config_;
    unsigned granule_shift_ = 2;  // log2 of a granule's bytes
    bool between_blocks_ = true;
    std::vector<std::unique_ptr<Shadow>> shadows_;  // by address
    Shadow* last_ = nullptr;
    std::span<const machine::GlobalAccess> log_;                           // being checked,
    std::size_t at_ = 0;                                                   // and the current access in it
    std::uint64_t patience_ = 1U << 24U;                                   // of happens_before(), in all
    static constexpr std::uint64_t max_found = 1U << 20U;                  // without a barrier or an atomic each access may race
    std::uint64_t found_ = 0;                                              // conflicts, without the excused ones
    std::map<std::pair<std::uint32_t, std::uint32_t>, GlobalRace> races_;  // by the two memory ids
};

}  // namespace lab::observers
