#include "common/emulator/observers/recorder.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/chosen_blocks.h"
#include "common/emulator/machine/worker.h"
#include "common/emulator/observers/recorded_block.h"

namespace lab::observers {

using machine::AccessKind;
using trace::Recording;
using trace::Space;

namespace {

constexpr std::uint64_t max_grid = 1U << 15U;  // blocks of a grid whose first stores are kept

const machine::MemoryCounts& counts_of(const machine::Counters& counters, AccessKind kind, Space space) {
    const bool is_shared = space == Space::shared;
    if (space == Space::constant) return counters.constant_load;
    if (kind == AccessKind::load) return is_shared ? counters.shared_load : counters.global_load;
    if (kind == AccessKind::store) return is_shared ? counters.shared_store : counters.global_store;
    return is_shared ? counters.shared_atomic : counters.global_atomic;
}

}  // namespace

std::vector<std::uint64_t> blocks_to_record(const machine::LaunchConfig& config, bool runs_some) {
    const machine::Dim3& grid = config.grid;
    const auto linear = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) { return x + grid.x * (y + grid.y * z); };
    std::vector<std::uint64_t> blocks{0, linear(grid.x / 2, grid.y / 2, grid.z / 2), grid.count() - 1};
    if (runs_some) {
        const auto classes = machine::choose_blocks(grid, config.max_blocks);
        const auto largest = std::max_element(classes.begin(), classes.end(),
                                              [](const auto& one, const auto& other) { return one.stands_for < other.stands_for; });
        const auto chosen = [&](std::uint64_t position) { return machine::block_at_position(config, position); };
        blocks = {chosen(classes.front().positions.front()), chosen(largest->positions[largest->positions.size() / 2]),
                  chosen(classes.back().positions.back())};
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

// The blocks of one worker.
class Recorder::Part final : public machine::BlockObserver {
public:
    explicit Part(Recorder& whole) : whole_(whole) {}

    void begin_block(const machine::Block& block) override {
        const auto found =
            std::find_if(whole_.blocks_.begin(), whole_.blocks_.end(), [&](const auto& one) { return one->linear() == block.linear; });
        // The sampling of traffic may run a block before its counts are taken.
        recorded_ = found == whole_.blocks_.end() || (*found)->has_run() ? nullptr : found->get();
    }
    void shared_interval(const machine::Block& block, std::span<const machine::SharedAccess> accesses, bool complete) override {
        if (recorded_ != nullptr) recorded_->shared(block, accesses, complete);
    }
    [[nodiscard]] bool wants_intervals_of_reads() const override { return recorded_ != nullptr; }
    void global_accesses(const machine::Block& block, std::span<const machine::GlobalAccess> accesses, bool /*block_ends*/) override {
        if (recorded_ != nullptr) recorded_->global(accesses);
        if (block.linear >= whole_.first_stores_.size() || whole_.first_stores_[block.linear] != 0) return;
        const auto store = std::ranges::find(accesses, AccessKind::store, &machine::GlobalAccess::kind);
        if (store != accesses.end()) whole_.first_stores_[block.linear] = store->base + static_cast<std::uint64_t>(store->pattern->low);
    }
    void end_block(const machine::Block& /*block*/) override {
        if (recorded_ != nullptr) recorded_->end();
        recorded_ = nullptr;
    }
    // Accesses before a fault say how it came about.
    void abandon_block(const machine::Block& block) override {
        if (recorded_ != nullptr) recorded_->shared(block, block.logged(), false);
        recorded_ = nullptr;
    }

private:
    Recorder& whole_;
    RecordedBlock* recorded_ = nullptr;
};

Recorder::Recorder(const LaunchContext& context, const MemoryRules& rules, const std::vector<std::uint64_t>& blocks)
    : first_stores_(context.grid.count() <= max_grid ? context.grid.count() : 0), context_(context) {
    for (const std::uint64_t linear : blocks)
        blocks_.push_back(std::make_unique<RecordedBlock>(context, rules, linear, static_cast<std::uint32_t>(blocks_.size())));
}
Recorder::~Recorder() = default;

machine::BlockObserver* Recorder::make_block_observer() {
    parts_.push_back(std::make_unique<Part>(*this));
    return parts_.back().get();
}

Recording Recorder::recording(const std::vector<machine::PlaceCounts>& places) const {
    Recording all;
    all.first_stores = first_stores_;
    for (const auto& block : blocks_) {
        all.blocks.push_back(block->linear());
        block->add_to(&all);
    }
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, machine::Counters> counted;
    for (const machine::PlaceCounts& place : places) {
        const ptx::Location at = context_.module->student_place(place.where);
        const auto& files = context_.module->files;
        counted[{at.file < files.size() ? files[at.file] : "", at.line, at.column}] += place.counters;
    }
    for (Recording::Access& access : all.accesses) {
        const machine::Counters& counters = counted[{access.where.file, access.where.line, access.where.column}];
        const machine::MemoryCounts& counts = counts_of(counters, access.kind, access.space);
        access.requests = counts.requests;
        access.requested = counts.bytes;
        access.cost = access.space == Space::global ? counts.sectors : counts.wavefronts;
    }
    return all;
}

}  // namespace lab::observers
