// Forwards each event to several observers.
#pragma once

#include <memory>
#include <vector>

#include "common/emulator/machine/observer.h"

namespace lab::observers {

class CompositeObserver final : public machine::Observer {
public:
    void add(machine::Observer& observer) { observers_.push_back(&observer); }
    [[nodiscard]] bool empty() const { return observers_.empty(); }
    [[nodiscard]] bool wants_shared_accesses() const override;
    [[nodiscard]] bool wants_local_reads() const override;
    [[nodiscard]] bool wants_global_accesses() const override;
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override;
    machine::BlockObserver* make_block_observer() override;

private:
    std::vector<machine::Observer*> observers_;
    std::vector<std::unique_ptr<machine::BlockObserver>> parts_;
};

}  // namespace lab::observers
