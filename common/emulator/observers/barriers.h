// Checks barriers and warp-level operations that not all required threads reach, and ends the launch there. Since compute capability 7.0
// hardware counts arrived threads, at any barrier instruction, and continues; earlier hardware and the PTX ISA (bar, shfl.sync) leave the
// behaviour undefined.
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
