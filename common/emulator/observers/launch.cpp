#include "common/emulator/observers/launch.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/chosen_blocks.h"
#include "common/emulator/machine/code.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/observers/access_rules.h"
#include "common/emulator/observers/checkers.h"
#include "common/emulator/observers/line_counts.h"
#include "common/emulator/observers/partitions.h"
#include "common/emulator/observers/recorder.h"

namespace lab::observers {
namespace {

LaunchContext context_of(const machine::LoadedModule& module, const std::string& mangled_name, const machine::KernelCode& code,
                         const machine::LaunchConfig& config, const machine::Memory& memory) {
    LaunchContext context;
    context.kernel = machine::demangle(mangled_name);
    context.grid = config.grid;
    context.block = config.block;
    context.shared_bytes =
        config.dynamic_shared_bytes == 0 ? code.static_shared_bytes : code.dynamic_shared_offset + config.dynamic_shared_bytes;
    context.local_bytes = code.local_bytes;
    context.config = &config;
    context.memory = &memory;
    context.module = &module.source();
    context.code = &code;
    return context;
}

}  // namespace

machine::LaunchResult launch(const machine::LoadedModule& module, const std::string& mangled_name, machine::LaunchConfig config,
                             machine::Memory& memory) {
    const MemoryRules& rules = rules_of(config.compute_capability);
    const machine::KernelCode* found = module.code(mangled_name);
    if (found == nullptr) throw ptx::Error("there is no kernel '" + mangled_name + "'");
    const machine::KernelCode& code = *found;
    config.rules = &rules;
    // Partitions have to be counted in whole waves.
    const bool runs_some = config.max_blocks != 0 && config.partitions.count == 0 && config.max_blocks < config.grid.count();
    if (runs_some) config.checks = machine::Checks::none();
    Checkers checkers(code, config, memory);
    config.observer = checkers.together();
    const LaunchContext context = context_of(module, mangled_name, code, config, memory);
    std::optional<PartitionObserver> partitions;
    std::optional<Recorder> recorder;
    CompositeObserver all;
    if (config.observer != nullptr) all.add(*config.observer);
    if (config.partitions.count != 0) all.add(partitions.emplace(code, config.partitions, rules));
    if (config.records_accesses) all.add(recorder.emplace(context, rules, blocks_to_record(config, runs_some)));
    if (partitions || recorder) config.observer = &all;
    if (config.records_accesses) config.counts_by_line = true;
    const machine::Outcome outcome = runs_some ? machine::run_some(module, mangled_name, config, memory, config.max_blocks)
                                               : machine::run(module, mangled_name, config, memory);
    machine::LaunchResult result;
    result.counters = outcome.counters;
    result.contention = outcome.contention;
    result.lines = by_line(outcome.places, module.source());
    if (partitions && !outcome.violation) result.partitions = partitions->counts();
    result.ran_some = runs_some;
    result.shuffles_from_ended = outcome.shuffles_from_ended;
    if (!outcome.violation && !runs_some) {
        result.touched = config.follows_memory ? checkers.touched() : touched_by_parameters(code, config, memory);
        result.constants = code.constants;
    }
    std::uint64_t last_position = ~0ULL;
    if (outcome.violation) {
        result.fault = explain(*outcome.violation, context);
        const machine::Dim3& at = outcome.violation->block;
        // The map from positions to blocks is its own inverse.
        last_position =
            machine::block_at_position(config, at.x + std::uint64_t{config.grid.x} * (at.y + std::uint64_t{config.grid.y} * at.z));
    }
    result.findings = checkers.findings(last_position, context);
    // The number of blocks that ran after a fault depends on the host, so their counts are dropped.
    if (outcome.violation) {
        for (Finding& finding : result.findings) finding.count = 0;
    }
    if (recorder) {
        auto recording = std::make_shared<trace::Recording>(recorder->recording(outcome.places));
        std::copy_if(result.findings.begin(), result.findings.end(), std::back_inserter(recording->races),
                     [](const Finding& finding) { return finding.kind == FindingKind::race && finding.space == MemorySpace::shared; });
        result.recording = std::move(recording);
    }
    return result;
}

}  // namespace lab::observers
