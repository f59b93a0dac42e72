// A launch of the CUDA runtime: checked, counted, and sampled for the time model.
#pragma once

#include "common/emulator/observers/launch.h"
#include "common/emulator/timing/sampling.h"

namespace lab::timing {

struct SampledLaunch {
    machine::LaunchResult result;
    SampledTraffic sample;  // empty if no block was sampled, and after a fault
};

// Like observers::launch. Sets config.sampler.
[[nodiscard]] SampledLaunch launch(const machine::LoadedModule& module, const std::string& mangled_name, machine::LaunchConfig config,
                                   const Sampling& sampling, machine::Memory& memory);

}  // namespace lab::timing
