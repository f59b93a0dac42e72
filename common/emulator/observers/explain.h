// Makes findings from the records of machine and checkers: kind, places, memory.
#pragma once

#include <string>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/op.h"
#include "common/emulator/observers/global_races.h"
#include "common/emulator/observers/initialisation.h"
#include "common/emulator/observers/races.h"
#include "common/findings/finding.h"

namespace lab::observers {

// The launch's properties that findings mention.
struct LaunchContext {
    std::string kernel;  // demangled
    machine::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    std::uint32_t local_bytes = 0;
    const machine::LaunchConfig* config = nullptr;
    const machine::Memory* memory = nullptr;
    const ptx::Module* module = nullptr;
    const machine::KernelCode* code = nullptr;
};

[[nodiscard]] Finding explain(const machine::Violation& violation, const LaunchContext& context);
[[nodiscard]] Finding explain(const Race& race, const LaunchContext& context);
[[nodiscard]] Finding explain(const GlobalRace& race, const LaunchContext& context);
[[nodiscard]] Finding explain(const UnwrittenRead& read, const LaunchContext& context);

}  // namespace lab::observers
