// Checks the blocks' accesses to global memory in scheduling order, whichever worker ran them. So findings don't depend on the number of
// workers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "common/emulator/machine/observer.h"
#include "common/emulator/machine/worker.h"

namespace lab::observers {

// The accessing block.
struct BlockPosition {
    std::uint64_t position = 0;
    std::uint64_t linear = 0;
};

// Checks accesses to watched global memory, one block after another.
class GlobalChecker {
public:
    virtual ~GlobalChecker() = default;
    [[nodiscard]] virtual bool watches(const machine::Allocation& allocation) const = 0;
    virtual void look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) = 0;
    // Whether it has found so much that the launch's later blocks needn't be checked.
    [[nodiscard]] virtual bool has_enough() const { return false; }
};

class InOrder {
public:
    InOrder(std::vector<GlobalChecker*> checkers, bool may_end) : checkers_(std::move(checkers)), may_end_(may_end) {}

    // Takes the rest of a block's accesses: checks it at once if all earlier blocks are checked, else keeps it until then.
    void finish(const machine::Block& block, std::span<const machine::GlobalAccess> accesses);
    // Takes a part of a block's accesses; more follows. Waits until all earlier blocks are checked, then checks it.
    void part(const machine::Block& block, std::span<const machine::GlobalAccess> accesses);
    // Waits until all blocks that this worker has finished are checked.
    void wait_for(const machine::Block& running);
    // Ends the block early: blocks at later positions are not checked.
    void abandon(const machine::Block& block);
    // Whether a checker has enough: no later block is checked.
    [[nodiscard]] bool has_ended() const { return has_ended_; }

private:
    struct Kept {
        BlockPosition block;
        const machine::Worker* worker = nullptr;
        std::vector<machine::GlobalAccess> accesses;
    };
    bool wait_for_position(std::unique_lock<std::mutex>& lock, const machine::Block& block);
    void look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) const;
    void look_at_all(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses);
    void look_at_kept();

    std::vector<GlobalChecker*> checkers_;
    bool may_end_ = true;
    std::atomic<bool> has_ended_{false};
    std::mutex mutex_;
    std::condition_variable moved_on_;
    std::map<std::uint64_t, Kept> kept_;  // by position
    std::uint64_t next_ = 0;              // the position whose accesses may be checked
    std::uint64_t stopped_at_ = ~0ULL;
};

// Passes every worker's log to the checkers in scheduling order. `may_end`: until one of them has enough.
class GlobalObserver final : public machine::Observer {
public:
    GlobalObserver(std::vector<GlobalChecker*> checkers, bool may_end) : checkers_(checkers), in_order_(std::move(checkers), may_end) {}
    [[nodiscard]] bool wants_global_accesses() const override { return !in_order_.has_ended(); }
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    machine::BlockObserver* make_block_observer() override;

private:
    std::vector<GlobalChecker*> checkers_;
    InOrder in_order_;
    std::vector<std::unique_ptr<machine::BlockObserver>> parts_;
};

}  // namespace lab::observers
