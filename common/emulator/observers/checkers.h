// The enabled checkers of a launch as one observer, and their findings.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/emulator/observers/barriers.h"
#include "common/emulator/observers/bounds.h"
#include "common/emulator/observers/composite_observer.h"
#include "common/emulator/observers/explain.h"
#include "common/emulator/observers/touched_memory.h"

namespace lab::observers {

class Checkers {
public:
    Checkers(const machine::KernelCode& kernel, const machine::LaunchConfig& config, const machine::Memory& memory);
    // Null if nothing is checked.
    [[nodiscard]] machine::Observer* together() { return together_.empty() ? nullptr : &together_; }
    // With LaunchConfig::follows_memory.
    [[nodiscard]] machine::TouchedBytes touched() const { return touched_ ? touched_->touched() : machine::TouchedBytes{}; }
    // Findings up to the block at position `last`.
    [[nodiscard]] std::vector<Finding> findings(std::uint64_t last, const LaunchContext& context) const;

private:
    BarrierObserver barriers_;
    BoundsObserver bounds_;
    std::unique_ptr<RaceObserver> races_;
    std::unique_ptr<InitialisationObserver> initialisation_;
    std::unique_ptr<GlobalRaces> global_races_;
    std::unique_ptr<GlobalInitialisation> global_initialisation_;
    std::unique_ptr<TouchedMemory> touched_;
    std::unique_ptr<GlobalObserver> global_;
    CompositeObserver together_;
};

}  // namespace lab::observers
