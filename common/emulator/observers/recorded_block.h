// Record of one block, with its own tables, since blocks run on several workers.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/emulator/machine/worker.h"
#include "common/emulator/observers/access_rules.h"
#include "common/emulator/observers/explain.h"
#include "common/emulator/observers/race_check.h"
#include "common/trace/recording.h"

namespace lab::observers {

class RecordedBlock {
public:
    using Recording = trace::Recording;
    using Space = trace::Space;
    RecordedBlock(const LaunchContext& context, const MemoryRules& rules, std::uint64_t linear, std::uint32_t index);

    [[nodiscard]] std::uint64_t linear() const { return linear_; }
    void end() { has_run_ = true; }
    [[nodiscard]] bool has_run() const { return has_run_; }
    void global(std::span<const machine::GlobalAccess> accesses);
    void shared(const machine::Block& block, std::span<const machine::SharedAccess> accesses, bool complete);
    // Adds what was recorded to those of other blocks, and makes one of accesses and objects that are the same.
    void add_to(Recording* all) const;

private:
    using Object = std::optional<std::uint32_t>;  // its index
    using AccessKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, machine::AccessKind, Space, Object, std::uint32_t>;
    using TouchedKey = std::tuple<std::uint32_t, std::uint32_t, machine::AccessKind>;  // interval, object, kind
    struct Cost {
        std::uint32_t now = 0, ideal = 0;
    };
    struct Touch {
        std::uint32_t access = 0, thread = 0;
        bool is_write = false;
    };
    struct Word {
        std::vector<Touch> touches;  // in the open interval
        std::optional<Recording::Write> last_write;
        bool is_used = false;  // in any interval
    };

    std::uint32_t access_of(const machine::Op* op, machine::AccessKind kind, Space space, Object object, std::uint32_t bytes);
    Object object_at(std::uint64_t address);
    std::uint32_t shared_object_at(std::uint64_t offset);
    [[nodiscard]] Cost cost_of(const machine::GlobalAccess& access, Space space) const;
    void keep(std::uint32_t access, std::uint32_t warp, std::uint64_t base, const machine::AccessPattern& pattern, Cost cost);
    void mark_used(std::uint32_t base, const machine::AccessPattern& pattern);
    void one_shared(const machine::SharedAccess& access);
    void touch(std::uint32_t access, std::uint32_t warp, std::uint32_t base, const machine::AccessPattern& pattern,
               machine::AccessKind kind);
    void find_races(const machine::Block& block, std::span<const machine::SharedAccess> accesses);
    void close_interval(const machine::Block& block);
    // Return where each own one is now.
    [[nodiscard]] std::vector<std::uint32_t> add_objects_to(Recording* all) const;
    [[nodiscard]] std::vector<std::uint32_t> add_accesses_to(Recording* all, const std::vector<std::uint32_t>& objects) const;
    [[nodiscard]] bool keeps_interval() const;
    [[nodiscard]] Recording::Place place_of(const machine::Op* op) const;

    const LaunchContext& context_;
    const MemoryRules& rules_;
    std::uint64_t linear_;
    std::uint32_t index_;  // among the recorded ones
    std::uint32_t warps_;
    Recording own_;
    std::map<AccessKey, std::uint32_t> known_;
    std::vector<std::vector<std::uint32_t>> executed_;  // [access][warp]
    std::map<TouchedKey, Recording::Touched> touched_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> open_words_;  // touched in the interval that is open
    std::uint64_t open_touches_ = 0;
    std::uint64_t clashes_ = 0;  // in the open interval
    Recording::Interval open_;
    bool is_open_ = false;
    bool has_run_ = false;
    RaceCheck races_;
};

}  // namespace lab::observers
