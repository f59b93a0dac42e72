// A launch with standard counting and checking, for the CUDA runtime.
#pragma once

#include "common/emulator/machine/launch.h"

namespace lab::observers {

// Like machine::run, with counters by the rules of config.compute_capability, the checks of config.checks, partition counts, and findings.
// Sets config.rules and config.observer.
[[nodiscard]] machine::LaunchResult launch(const machine::LoadedModule& module, const std::string& mangled_name,
                                           machine::LaunchConfig config, machine::Memory& memory);

}  // namespace lab::observers
