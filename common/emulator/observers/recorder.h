// Records the accesses of a few blocks: which lane touched which byte, for each load and store of the source.
#pragma once

#include <memory>
#include <vector>

#include "common/emulator/observers/access_rules.h"
#include "common/emulator/observers/explain.h"
#include "common/trace/recording.h"

namespace lab::observers {

class RecordedBlock;

// The grid's first block, its last one, and one in its middle; if only some blocks run, three of those.
[[nodiscard]] std::vector<std::uint64_t> blocks_to_record(const machine::LaunchConfig& config, bool runs_some);

class Recorder final : public machine::Observer {
public:
    // `blocks`: linear indices of those to record, ascending. What `context` points to has to outlive the recorder.
    Recorder(const LaunchContext& context, const MemoryRules& rules, const std::vector<std::uint64_t>& blocks);
    ~Recorder() override;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    [[nodiscard]] bool wants_shared_accesses() const override { return true; }
    [[nodiscard]] bool wants_global_accesses() const override { return true; }
    [[nodiscard]] bool watches(const machine::Allocation& /*allocation*/) const override { return true; }
    machine::BlockObserver* make_block_observer() override;

    // After the launch; `places`: what each instruction has counted in all blocks. The same for any number of workers.
    [[nodiscard]] trace::Recording recording(const std::vector<machine::PlaceCounts>& places) const;

private:
    class Part;
    std::vector<std::unique_ptr<RecordedBlock>> blocks_;
    std::vector<std::uint64_t> first_stores_;  // by block; each is written by the worker that runs it
    std::vector<std::unique_ptr<Part>> parts_;
    const LaunchContext& context_;
};

}  // namespace lab::observers
