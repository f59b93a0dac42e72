#include "common/emulator/observers/launch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/chosen_blocks.h"
#include "common/emulator/machine/code.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/observer.h"
#include "common/emulator/observers/access_rules.h"
#include "common/emulator/observers/explain.h"
#include "common/emulator/observers/partitions.h"
#include "common/emulator/observers/recorder.h"
#include "common/emulator/observers/touched_memory.h"

namespace lab::observers {
namespace {

class CompositeObserver final : public machine::Observer {
public:
    void add(machine::Observer& observer) { observers_.push_back(&observer); }
    [[nodiscard]] bool empty() const { return observers_.empty(); }
    [[nodiscard]] bool wants_shared_accesses() const override;
    [[nodiscard]] bool wants_local_reads() const override;
    [[nodiscard]] bool wants_global_accesses() const override;
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override;
    machine::BlockObserver* make_block_observer() override;

private:
    std::vector<machine::Observer*> observers_;
    std::vector<std::unique_ptr<machine::BlockObserver>> parts_;
};

class CompositeBlockObserver final : public machine::BlockObserver {
public:
    explicit CompositeBlockObserver(std::vector<machine::BlockObserver*> parts) : parts_(std::move(parts)) {}

    void begin_block(const machine::Block& block) override {
        for (auto* part : parts_) part->begin_block(block);
    }
    void shared_interval(const machine::Block& block, std::span<const machine::SharedAccess> accesses, bool complete) override {
        for (auto* part : parts_) part->shared_interval(block, accesses, complete);
    }
    [[nodiscard]] bool wants_intervals_of_reads() const override {
        return std::any_of(parts_.begin(), parts_.end(), [](const auto* part) { return part->wants_intervals_of_reads(); });
    }
    void global_accesses(const machine::Block& block, std::span<const machine::GlobalAccess> accesses, bool block_ends) override {
        for (auto* part : parts_) part->global_accesses(block, accesses, block_ends);
    }
    void patterns_end() override {
        for (auto* part : parts_) part->patterns_end();
    }
    void unwritten_local(const machine::Block& block, const machine::Warp& warp, const machine::Op* op, unsigned lane) override {
        for (auto* part : parts_) part->unwritten_local(block, warp, op, lane);
    }
    void end_block(const machine::Block& block) override {
        for (auto* part : parts_) part->end_block(block);
    }
    void abandon_block(const machine::Block& block) override {
        for (auto* part : parts_) part->abandon_block(block);
    }

private:
    std::vector<machine::BlockObserver*> parts_;
};

template <class Question>
bool any(const std::vector<machine::Observer*>& observers, Question question) {
    return std::any_of(observers.begin(), observers.end(), question);
}

bool CompositeObserver::wants_shared_accesses() const {
    return any(observers_, [](const auto* one) { return one->wants_shared_accesses(); });
}
bool CompositeObserver::wants_local_reads() const {
    return any(observers_, [](const auto* one) { return one->wants_local_reads(); });
}
bool CompositeObserver::wants_global_accesses() const {
    return any(observers_, [](const auto* one) { return one->wants_global_accesses(); });
}
bool CompositeObserver::watches(const machine::Allocation& allocation) const {
    return any(observers_, [&](const auto* one) { return one->watches(allocation); });
}

bool CompositeObserver::forbids(const machine::Violation& violation) const {
    return any(observers_, [&](const auto* one) { return one->forbids(violation); });
}

machine::BlockObserver* CompositeObserver::make_block_observer() {
    std::vector<machine::BlockObserver*> parts;
    for (machine::Observer* one : observers_) {
        if (machine::BlockObserver* const part = one->make_block_observer()) parts.push_back(part);
    }
    if (parts.empty()) return nullptr;
    parts_.push_back(std::make_unique<CompositeBlockObserver>(std::move(parts)));
    return parts_.back().get();
}

class BoundsObserver final : public machine::Observer {
public:
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override { return violation.kind == FindingKind::out_of_bounds; }
};

class BarrierObserver final : public machine::Observer {
public:
    [[nodiscard]] bool forbids(const machine::Violation& violation) const override {
        return violation.kind == FindingKind::divergent_barrier || violation.kind == FindingKind::absent_lanes;
    }
};

class Checkers {
public:
    Checkers(const machine::KernelCode& kernel, const machine::LaunchConfig& config, const machine::Memory& memory);
    // Null if nothing is checked.
    [[nodiscard]] machine::Observer* together() { return together_.empty() ? nullptr : &together_; }
    // With LaunchConfig::follows_memory.
    [[nodiscard]] machine::TouchedBytes touched() const { return touched_ ? touched_->touched() : machine::TouchedBytes{}; }
    // Findings up to the block at position `last`.
    [[nodiscard]] std::vector<Finding> findings(std::uint64_t last, const LaunchContext& context) const;

private:
    BarrierObserver barriers_;
    BoundsObserver bounds_;
    std::unique_ptr<RaceObserver> races_;
    std::unique_ptr<InitialisationObserver> initialisation_;
    std::unique_ptr<GlobalRaces> global_races_;
    std::unique_ptr<GlobalInitialisation> global_initialisation_;
    std::unique_ptr<TouchedMemory> touched_;
    std::unique_ptr<GlobalObserver> global_;
    CompositeObserver together_;
};

bool is_same_place(const Place& one, const Place& other) {
    return one.role == other.role && one.source.line == other.source.line && one.source.file == other.source.file;
}

// Whether both are the same mistake: of one kind, about one variable, at the same source lines. Instructions of one line are many in an
// unrolled loop.
bool is_same_mistake(const Finding& one, const Finding& other) {
    const auto is_same_object = [](const Location& a, const Location& b) { return a.object == b.object; };
    return one.kind == other.kind && one.headline == other.headline &&
           std::ranges::is_permutation(one.places, other.places, is_same_place) &&
           std::ranges::equal(one.locations, other.locations, is_same_object);
}

Checkers::Checkers(const machine::KernelCode& kernel, const machine::LaunchConfig& config, const machine::Memory& memory) {
    const machine::Checks& checks = config.checks;
    if (checks.barriers) together_.add(barriers_);
    if (checks.bounds) together_.add(bounds_);
    std::vector<GlobalChecker*> global;
    if (checks.races) {
        together_.add(*(races_ = std::make_unique<RaceObserver>()));
        global.push_back((global_races_ = std::make_unique<GlobalRaces>(kernel, config, memory)).get());
    }
    if (checks.initialisation) {
        together_.add(*(initialisation_ = std::make_unique<InitialisationObserver>()));
        global.push_back((global_initialisation_ = std::make_unique<GlobalInitialisation>(memory)).get());
    }
    if (config.follows_memory) global.push_back((touched_ = std::make_unique<TouchedMemory>(memory)).get());
    if (!global.empty()) together_.add(*(global_ = std::make_unique<GlobalObserver>(std::move(global), !config.follows_memory)));
}

std::vector<Finding> Checkers::findings(std::uint64_t last, const LaunchContext& context) const {
    std::vector<Finding> list;
    const auto add = [&](const auto& found) {
        for (const auto& one : found) {
            Finding finding = explain(one, context);
            const auto known = std::ranges::find_if(list, [&](const Finding& other) { return is_same_mistake(other, finding); });
            if (known == list.end()) {
                list.push_back(std::move(finding));
            } else {
                known->count += finding.count;
            }
        }
    };
    // Races first: a premature read also looks uninitialised.
    if (races_) add(races_->races(last));
    if (global_races_) add(global_races_->races(last));
    if (initialisation_) add(initialisation_->reads(last));
    if (global_initialisation_) add(global_initialisation_->reads(last));
    return list;
}

bool is_idle(const machine::Counters& counters) {
    const std::vector<trace::CounterRow>& rows = trace::counter_rows();
    return std::none_of(rows.begin(), rows.end(),
                        [&](const trace::CounterRow& row) { return row.is_of_line() && (counters.*row.access).requests != 0; });
}

// Sorted by file, then line. Inlined code counts at the call in the student's own code; lines without memory accesses are omitted.
std::vector<trace::LineCounts> by_line(const std::vector<machine::PlaceCounts>& places, const ptx::Module& module) {
    std::map<std::pair<std::string, std::uint32_t>, machine::Counters> gathered;
    for (const machine::PlaceCounts& place : places) {
        if (is_idle(place.counters)) continue;
        const ptx::Location where = module.student_place(place.where);
        const std::string file = where.file < module.files.size() ? module.files[where.file] : "";
        gathered[{file, where.line}] += place.counters;
    }
    std::vector<trace::LineCounts> lines;
    lines.reserve(gathered.size());
    for (auto& [at, counters] : gathered) lines.push_back({at.first, at.second, counters});
    return lines;
}

LaunchContext context_of(const machine::LoadedModule& module, const std::string& mangled_name, const machine::KernelCode& code,
                         const machine::LaunchConfig& config, const machine::Memory& memory) {
    LaunchContext context{.kernel = machine::demangle(mangled_name), .grid = config.grid, .block = config.block};
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
    machine::LaunchResult result{
        .counters = outcome.counters, .contention = outcome.contention, .lines = by_line(outcome.places, module.source())};
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
