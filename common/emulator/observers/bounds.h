// Accesses outside of what was allocated: the launch ends there. Hardware notices only those that leave the pages that it has mapped.
#pragma once

#include "common/emulator/machine/observer.h"

namespace lab::observers {

class BoundsObserver final : public machine::Observer {
public:
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override { return violation.kind == FindingKind::out_of_bounds; }
};

}  // namespace lab::observers
