#include "common/emulator/observers/launch.h"

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/observers/access_rules.h"
#include "common/emulator/observers/explain.h"
#include "common/emulator/observers/races.h"

namespace lab::observers {

machine::LaunchResult launch(const machine::LoadedModule& module, const std::string& mangled_name, machine::LaunchConfig config,
                             machine::Memory& memory) {
    const Sm50Rules rules;
    RaceObserver races;
    config.rules = &rules;
    config.observer = config.checks.races ? &races : nullptr;
    const machine::Outcome outcome = machine::run(module, mangled_name, config, memory);
    LaunchContext context;
    const machine::KernelCode& code = *module.code(mangled_name);
    context.kernel = machine::demangle(mangled_name);
    context.grid = config.grid;
    context.block = config.block;
    context.shared_bytes =
        config.dynamic_shared_bytes == 0 ? code.static_shared_bytes : code.dynamic_shared_offset + config.dynamic_shared_bytes;
    context.local_bytes = code.local_bytes;
    context.max_instructions = config.max_instructions;
    context.memory = &memory;
    context.module = &module.source();
    machine::LaunchResult result;
    result.counters = outcome.counters;
    std::uint64_t last_block = ~0ULL;
    if (outcome.violation) {
        result.fault = explain(*outcome.violation, context);
        const machine::Dim3& at = outcome.violation->block;
        last_block = at.x + std::uint64_t{config.grid.x} * (at.y + std::uint64_t{config.grid.y} * at.z);
    }
    for (Race race : races.races(last_block)) {
        // How many blocks behind a fault ran depends on the host: what they add is not told.
        if (outcome.violation) race.count = 0;
        result.hazards.push_back(explain(race, context));
    }
    return result;
}

}  // namespace lab::observers
