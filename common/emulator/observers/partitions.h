// Traffic of each memory partition, on devices that interleave their partitions without a hash. Counted per wave of resident blocks, since
// only concurrent accesses cause camping.
#pragma once

#include <memory>
#include <vector>

#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/observer.h"
#include "common/emulator/observers/access_rules.h"

namespace lab::observers {

class PartitionObserver final : public machine::Observer {
public:
    PartitionObserver(const machine::KernelCode& kernel, const machine::Partitions& partitions, const MemoryRules& rules);
    ~PartitionObserver() override;
    PartitionObserver(const PartitionObserver&) = delete;
    PartitionObserver& operator=(const PartitionObserver&) = delete;

    [[nodiscard]] bool wants_global_accesses() const override { return true; }
    // Watches device memory only: host memory is accessed over the bus, constants through a cache.
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    machine::BlockObserver* make_block_observer() override;

    // Sums over all blocks that have run, whichever worker ran them.
    [[nodiscard]] trace::PartitionCounts counts() const;

private:
    class Part;
    const machine::KernelCode& kernel_;
    machine::Partitions partitions_;
    const MemoryRules& rules_;
    std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace lab::observers
