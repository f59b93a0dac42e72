#include "common/emulator/observers/composite_observer.h"

#include <algorithm>

namespace lab::observers {

namespace {

class CompositeBlockObserver final : public machine::BlockObserver {
public:
    explicit CompositeBlockObserver(std::vector<machine::BlockObserver*> parts) : parts_(std::move(parts)) {}

    void begin_block(const machine::Block& block) override {
        for (auto* part : parts_) part->begin_block(block);
    }
    void shared_interval(const machine::Block& block, std::span<const machine::SharedAccess> accesses, bool complete) override {
        for (auto* part : parts_) part->shared_interval(block, accesses, complete);
    }
    [[nodiscard]] bool wants_intervals_of_reads() const override {
        return std::any_of(parts_.begin(), parts_.end(), [](const auto* part) { return part->wants_intervals_of_reads(); });
    }
    void global_accesses(const machine::Block& block, std::span<const machine::GlobalAccess> accesses, bool block_ends) override {
        for (auto* part : parts_) part->global_accesses(block, accesses, block_ends);
    }
    void patterns_end() override {
        for (auto* part : parts_) part->patterns_end();
    }
    void unwritten_local(const machine::Block& block, const machine::Warp& warp, const machine::Op* op, unsigned lane) override {
        for (auto* part : parts_) part->unwritten_local(block, warp, op, lane);
    }
    void end_block(const machine::Block& block) override {
        for (auto* part : parts_) part->end_block(block);
    }
    void abandon_block(const machine::Block& block) override {
        for (auto* part : parts_) part->abandon_block(block);
    }

private:
    std::vector<machine::BlockObserver*> parts_;
};

template <class Question>
bool any(const std::vector<machine::Observer*>& observers, Question question) {
    return std::any_of(observers.begin(), observers.end(), question);
}

}  // namespace

bool CompositeObserver::wants_shared_accesses() const {
    return any(observers_, [](const auto* one) { return one->wants_shared_accesses(); });
}
bool CompositeObserver::wants_local_reads() const {
    return any(observers_, [](const auto* one) { return one->wants_local_reads(); });
}
bool CompositeObserver::wants_global_accesses() const {
    return any(observers_, [](const auto* one) { return one->wants_global_accesses(); });
}
bool CompositeObserver::watches(const machine::Allocation& allocation) const {
    return any(observers_, [&](const auto* one) { return one->watches(allocation); });
}

bool CompositeObserver::forbids(const machine::Violation& violation) const {
    return any(observers_, [&](const auto* one) { return one->forbids(violation); });
}

machine::BlockObserver* CompositeObserver::make_block_observer() {
    std::vector<machine::BlockObserver*> parts;
    for (machine::Observer* one : observers_) {
        if (machine::BlockObserver* const part = one->make_block_observer()) parts.push_back(part);
    }
    if (parts.empty()) return nullptr;
    parts_.push_back(std::make_unique<CompositeBlockObserver>(std::move(parts)));
    return parts_.back().get();
}

}  // namespace lab::observers
