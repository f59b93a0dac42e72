// Checks accesses outside of allocations, and ends the launch there. Hardware detects only those outside of mapped pages.
#pragma once

#include "common/emulator/machine/observer.h"

namespace lab::observers {

class BoundsObserver final : public machine::Observer {
public:
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override { return violation.kind == FindingKind::out_of_bounds; }
};

}  // namespace lab::observers
