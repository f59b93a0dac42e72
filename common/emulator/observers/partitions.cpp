#include "common/emulator/observers/partitions.h"

#include <algorithm>
#include <unordered_map>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/worker.h"

namespace lab::observers {

using machine::AccessKind;
using machine::AccessPattern;
using trace::PartitionTraffic;

// The blocks of one worker.
class PartitionObserver::Part final : public machine::BlockObserver {
public:
    explicit Part(const PartitionObserver& whole) : whole_(whole) {}

    void begin_block(const machine::Block& /*block*/) override {}
    void shared_interval(const machine::Block& /*block*/, std::span<const machine::SharedAccess> /*all*/, bool /*complete*/) override {}
    void end_block(const machine::Block& /*block*/) override {}
    void patterns_end() override { segments_.clear(); }

    // Hardware starts blocks in the order of their numbers, whatever the emulator's scheduling order.
    void global_accesses(const machine::Block& block, std::span<const machine::GlobalAccess> accesses, bool /*block_ends*/) override {
        const std::size_t n = whole_.partitions_.count;
        const std::size_t wave = block.linear / whole_.partitions_.wave_blocks;
        if (loads.size() < (wave + 1) * n) {
            loads.resize((wave + 1) * n);
            stores.resize((wave + 1) * n);
        }
        for (const machine::GlobalAccess& access : accesses) {
            if (whole_.kernel_.memory_ops[access.memory_id].space != ptx::Space::global) continue;
            // An atomic operation reads and writes.
            if (access.kind != AccessKind::store) add(access, loads.data() + wave * n);
            if (access.kind != AccessKind::load) add(access, stores.data() + wave * n);
        }
    }

    std::vector<std::uint64_t> loads, stores;  // bytes [wave][partition]

private:
    void add(const machine::GlobalAccess& access, std::uint64_t* bytes) {
        const machine::Partitions& partitions = whole_.partitions_;
        for (const Segment& segment : segments_of(*access.pattern, static_cast<unsigned>(access.base & 127U))) {
            const std::uint64_t address = access.base + static_cast<std::uint64_t>(segment.begin);
            bytes[address / partitions.bytes % partitions.count] += segment.bytes;
        }
    }

    const std::vector<Segment>& segments_of(const AccessPattern& pattern, unsigned alignment) {
        auto& by_alignment = segments_[&pattern];
        const auto found = std::find_if(by_alignment.begin(), by_alignment.end(), [&](const auto& one) { return one.first == alignment; });
        if (found != by_alignment.end()) return found->second;
        return by_alignment.emplace_back(alignment, whole_.rules_.segments(pattern, alignment)).second;
    }

    const PartitionObserver& whole_;
    // Most patterns recur with few alignments.
    std::unordered_map<const AccessPattern*, std::vector<std::pair<unsigned, std::vector<Segment>>>> segments_;
};

PartitionObserver::PartitionObserver(const machine::KernelCode& kernel, const machine::Partitions& partitions, const MemoryRules& rules)
    : kernel_(kernel), partitions_(partitions), rules_(rules) {}
PartitionObserver::~PartitionObserver() = default;

bool PartitionObserver::watches(const machine::Allocation& allocation) const {
    using machine::AllocationKind;
    return allocation.kind == AllocationKind::device || allocation.kind == AllocationKind::managed ||
           allocation.kind == AllocationKind::global;
}

machine::BlockObserver* PartitionObserver::make_block_observer() {
    parts_.push_back(std::make_unique<Part>(*this));
    return parts_.back().get();
}

namespace {

void add_to(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
    sum.resize(std::max(sum.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

PartitionTraffic summed_up(const std::vector<std::uint64_t>& waves, std::uint32_t partitions) {
    PartitionTraffic traffic;
    traffic.bytes.assign(partitions, 0);
    for (auto wave = waves.begin(); wave != waves.end(); wave += partitions) {
        traffic.busiest += *std::max_element(wave, wave + partitions);
        for (std::uint32_t i = 0; i < partitions; ++i) traffic.bytes[i] += wave[i];
    }
    return traffic;
}

}  // namespace

trace::PartitionCounts PartitionObserver::counts() const {
    std::vector<std::uint64_t> loads;
    std::vector<std::uint64_t> stores;
    for (const auto& part : parts_) {
        add_to(loads, part->loads);
        add_to(stores, part->stores);
    }
    trace::PartitionCounts counts{.load = summed_up(loads, partitions_.count),
                                  .store = summed_up(stores, partitions_.count),
                                  .waves = loads.size() / partitions_.count,
                                  .load_waves = loads,
                                  .store_waves = stores};
    add_to(loads, stores);
    counts.both = summed_up(loads, partitions_.count);
    return counts;
}

}  // namespace lab::observers
