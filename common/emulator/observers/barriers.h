// Barriers and warp-level operations that not all take part in who have to: the launch ends there.
// Since compute capability 7.0 hardware counts the threads that have come, wherever they wait, and goes on; earlier hardware, and
// the PTX ISA (bar, shfl.sync), leave open what happens.
#pragma once

#include "common/emulator/machine/observer.h"

namespace lab::observers {

class BarrierObserver final : public machine::Observer {
public:
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override {
        return violation.kind == FindingKind::divergent_barrier || violation.kind == FindingKind::absent_lanes;
    }
};

}  // namespace lab::observers
