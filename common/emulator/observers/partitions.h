// Which partitions of memory a kernel's traffic goes to, on devices that interleave their partitions without
// a hash. Counted by waves of blocks that the device holds at a time: what camps is what is asked for at the same time.
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
    // Memory that is the device's own: what the host lends lies behind the bus, and constants behind a cache.
    [[nodiscard]] bool watches(const machine::Allocation& allocation) const override;
    machine::BlockObserver* make_block_observer() override;

    // Of all blocks that have run. The same whichever worker ran them: they are sums.
    [[nodiscard]] machine::PartitionCounts counts() const;

private:
    class Part;
    const machine::KernelCode& kernel_;
    machine::Partitions partitions_;
    const MemoryRules& rules_;
    std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace lab::observers
