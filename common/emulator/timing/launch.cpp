#include "common/emulator/timing/launch.h"

#include <optional>
#include <utility>

#include "common/emulator/timing/traffic_sample.h"

namespace lab::timing {

SampledLaunch launch(const machine::LoadedModule& module, const std::string& mangled_name, machine::LaunchConfig config,
                     const Sampling& sampling, machine::Memory& memory) {
    std::optional<TrafficSample> sample;
    if (sampling.blocks + sampling.cache_blocks != 0) config.sampler = &sample.emplace(sampling);
    SampledLaunch launched;
    launched.result = observers::launch(module, mangled_name, std::move(config), memory);
    if (sample && !launched.result.fault) launched.sample = sample->traffic();
    return launched;
}

}  // namespace lab::timing
