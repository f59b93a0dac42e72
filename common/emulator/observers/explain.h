// Findings in words: what happened, where, which address, what is near it.
#pragma once

#include <string>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/op.h"
#include "common/emulator/observers/global_races.h"
#include "common/emulator/observers/initialisation.h"
#include "common/emulator/observers/races.h"

namespace lab::observers {

// What the explanations need to know of the launch.
struct LaunchContext {
    std::string kernel;  // demangled
    machine::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    std::uint32_t local_bytes = 0;
    std::uint64_t max_instructions = 0;
    const machine::Memory* memory = nullptr;
    const ptx::Module* module = nullptr;
    const machine::KernelCode* code = nullptr;
};

[[nodiscard]] machine::Fault explain(const machine::Violation& violation, const LaunchContext& context);
[[nodiscard]] machine::Fault explain(const Race& race, const LaunchContext& context);
[[nodiscard]] machine::Fault explain(const GlobalRace& race, const LaunchContext& context);
[[nodiscard]] machine::Fault explain(const UnwrittenRead& read, const LaunchContext& context);

}  // namespace lab::observers
