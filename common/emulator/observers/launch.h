// A launch with the standard counting and checking: what the CUDA runtime calls.
#pragma once

#include "common/emulator/machine/launch.h"

namespace lab::observers {

// As machine::run, with counters by the rules of config.compute_capability, config.checks applied, partitions counted, and
// what was found, as fields. config.rules and config.observer are set here.
[[nodiscard]] machine::LaunchResult launch(const machine::LoadedModule& module, const std::string& mangled_name,
                                           machine::LaunchConfig config, machine::Memory& memory);

}  // namespace lab::observers
