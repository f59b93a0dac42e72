#include "common/emulator/observers/checkers.h"

#include <algorithm>

namespace lab::observers {

namespace {

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

}  // namespace

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

}  // namespace lab::observers
