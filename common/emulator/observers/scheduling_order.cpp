#include "common/emulator/observers/scheduling_order.h"

#include <algorithm>
#include <chrono>

#include "common/emulator/machine/launch_shared.h"

namespace lab::observers {

namespace {

constexpr auto patience = std::chrono::milliseconds(20);

const machine::Worker* worker_of(const machine::Block& block) { return block.warps.front().worker; }

}  // namespace

// False if the position will never be reached: an earlier block has stopped, or the whole launch.
bool InOrder::wait_for_position(std::unique_lock<std::mutex>& lock, const machine::Block& block) {
    while (next_ != block.position) {
        const machine::LaunchShared& launch = *worker_of(block)->launch;
        stopped_at_ = std::min(stopped_at_, launch.stop_at.load());
        if (block.position > stopped_at_) return false;
        moved_on_.wait_for(lock, patience);
    }
    return block.position <= stopped_at_;
}

void InOrder::look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) const {
    for (GlobalChecker* checker : checkers_) checker->look(block, accesses);
}

// Looks at the last accesses of a block; the next block may follow.
void InOrder::look_at_all(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) {
    look(block, accesses);
    ++next_;
    if (!may_end_ || !std::ranges::any_of(checkers_, &GlobalChecker::has_enough)) return;
    stopped_at_ = block.position;
    has_ended_ = true;
}

void InOrder::look_at_kept() {
    while (!kept_.empty() && kept_.begin()->first == next_ && next_ <= stopped_at_) {
        const Kept& kept = kept_.begin()->second;
        look_at_all(kept.block, kept.accesses);
        kept_.erase(kept_.begin());
    }
    moved_on_.notify_all();
}

void InOrder::finish(const machine::Block& block, std::span<const machine::GlobalAccess> accesses) {
    const std::lock_guard lock(mutex_);
    if (block.position > stopped_at_) return;
    if (block.position == next_) {
        look_at_all({block.position, block.linear}, accesses);
    } else {
        kept_.emplace(
            block.position,
            Kept{{block.position, block.linear}, worker_of(block), std::vector<machine::GlobalAccess>(accesses.begin(), accesses.end())});
    }
    look_at_kept();
}

void InOrder::part(const machine::Block& block, std::span<const machine::GlobalAccess> accesses) {
    std::unique_lock lock(mutex_);
    if (wait_for_position(lock, block)) look({block.position, block.linear}, accesses);
}

void InOrder::wait_for(const machine::Block& running) {
    std::unique_lock lock(mutex_);
    const machine::Worker* worker = worker_of(running);
    // Blocks up to a stopped one are all checked in the end.
    const auto nothing_kept = [&] {
        return std::none_of(kept_.begin(), kept_.end(),
                            [&](const auto& entry) { return entry.second.worker == worker && entry.first <= stopped_at_; });
    };
    const machine::LaunchShared& launch = *worker->launch;
    while (!nothing_kept()) {
        moved_on_.wait_for(lock, patience);
        stopped_at_ = std::min(stopped_at_, launch.stop_at.load());
    }
    std::erase_if(kept_, [&](const auto& entry) { return entry.second.worker == worker; });
}

void InOrder::abandon(const machine::Block& block) {
    const std::lock_guard lock(mutex_);
    stopped_at_ = std::min(stopped_at_, block.position);
    moved_on_.notify_all();
}

namespace {

class GlobalBlockObserver final : public machine::BlockObserver {
public:
    explicit GlobalBlockObserver(InOrder& in_order) : in_order_(in_order) {}
    void begin_block(const machine::Block& block) override { block_ = &block; }
    void shared_interval(const machine::Block& /*block*/, std::span<const machine::SharedAccess> /*all*/, bool /*complete*/) override {}
    void global_accesses(const machine::Block& block, std::span<const machine::GlobalAccess> accesses, bool block_ends) override {
        block_ends ? in_order_.finish(block, accesses) : in_order_.part(block, accesses);
    }
    void patterns_end() override { in_order_.wait_for(*block_); }
    void end_block(const machine::Block& /*block*/) override {}
    void abandon_block(const machine::Block& block) override { in_order_.abandon(block); }

private:
    InOrder& in_order_;
    const machine::Block* block_ = nullptr;
};

}  // namespace

bool GlobalObserver::watches(const machine::Allocation& allocation) const {
    return std::any_of(checkers_.begin(), checkers_.end(), [&](const GlobalChecker* checker) { return checker->watches(allocation); });
}

machine::BlockObserver* GlobalObserver::make_block_observer() {
    parts_.push_back(std::make_unique<GlobalBlockObserver>(in_order_));
    return parts_.back().get();
}

}  // namespace lab::observers
