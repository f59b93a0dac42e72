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

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/observers/scheduling_order.h"

namespace lab::observers {

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
