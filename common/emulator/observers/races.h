// Races in shared memory. Most intervals between barriers have none, which bitmaps show: every access adds its bytes as bits. If a written
// word was touched before, the threads that access it are compared, and if they differ, the exact check (race_check.h) runs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/observer.h"
#include "common/emulator/machine/worker.h"
#include "common/emulator/observers/race_check.h"

namespace lab::observers {

class ExecutionOrder {
public:
    void start_interval();
    // In the order of execution; an interval may come in parts.
    void add(std::span<const machine::SharedAccess> accesses);
    // Whether a warp that executed the two source lines of these accesses in this interval was done with the first when it began the
    // second: `one` of the warps if it executed both, else `other`, else any.
    [[nodiscard]] bool comes_before(const machine::Op& first, const machine::Op& second, std::uint32_t one, std::uint32_t other) const;

private:
    // Numbers of accesses, from 1; 0: none.
    struct Executed {
        std::uint64_t first = 0, last = 0;
    };
    static constexpr std::size_t max_warps = 32;
    using OfWarps = std::array<Executed, max_warps>;
    void add(const machine::Op* op, std::uint32_t warp);
    [[nodiscard]] OfWarps line_of(const machine::Op& op) const;

    std::unordered_map<const machine::Op*, OfWarps> executed_;
    std::uint64_t number_ = 0;
};

// The first conflict between two instructions, of two warps if the block has one, and the number of conflicts: if a block has thousands, of
// the first ones.
struct Race {
    Touch earlier, later;
    std::uint32_t address = 0;
    std::uint64_t block = 0;     // linear index of the first that showed it,
    std::uint64_t position = 0;  // and its position in the scheduling order
    std::uint64_t count = 0;
    bool is_excused = false;  // as defined by checked_by_swap()
    bool read_first = false;  // warps read before they write, with a barrier before the read: the write overwrites what others still read
    [[nodiscard]] bool within_warp() const { return earlier.warp == later.warp; }
};

// Whether one access is atomic and the other doesn't conflict with it. A volatile one is relaxed (PTX ISA, Memory Consistency Model). A
// plain read goes beside a compare-and-swap that checks what was read (the CUDA guide's atomicAdd of doubles), and in global memory beside
// minima and the like, which only approach their result: kernels repeat such reads until nothing changes.
[[nodiscard]] bool checked_by_swap(const ptx::Instruction& one, machine::AccessKind kind, const ptx::Instruction& other,
                                   machine::AccessKind other_kind);

class RaceBlockObserver final : public machine::BlockObserver {
public:
    void begin_block(const machine::Block& block) override;
    void shared_interval(const machine::Block& block, std::span<const machine::SharedAccess> accesses, bool complete) override;
    void end_block(const machine::Block& block) override;
    using Key = std::pair<const machine::Op*, const machine::Op*>;
    [[nodiscard]] const std::map<Key, Race>& races() const { return races_; }

private:
    bool clashes(const machine::SharedAccess& access, std::int64_t offset);
    bool may_clash(std::span<const machine::SharedAccess> accesses);
    // Whether another thread accesses a word that one has written: sums that each thread keeps for itself in shared memory have no race.
    bool shares_written_words(std::span<const machine::SharedAccess> accesses);
    bool has_company(const machine::SharedAccess& access, std::int64_t offset);
    // Stores a conflict as the race's example.
    void show(Race& race, const Touch& earlier, const Touch& later, std::uint32_t address, const machine::Block& block);
    // Decides Race::read_first of the races whose example is from this interval.
    void end_interval();

    std::vector<std::uint64_t> read_, written_, atomic_;  // a bit a word
    std::vector<std::uint32_t> owners_;                   // of words that are written: a thread's number in the block, from 1
    RaceCheck check_;
    ExecutionOrder order_;
    std::vector<Race*> unordered_;  // races whose example is from the current interval, whose end is needed for Race::read_first
    bool open_ = false;             // the exact check holds accesses of the current interval
    std::uint64_t clashes_ = 0;     // of this block, without the excused ones
    std::map<Key, Race> races_;
};

class RaceObserver final : public machine::Observer {
public:
    [[nodiscard]] bool wants_shared_accesses() const override { return true; }
    machine::BlockObserver* make_block_observer() override;
    // Races in blocks up to position `last`, in the order of the first blocks: one for each pair of instructions and each worker.
    // Race::count counts later blocks, too.
    [[nodiscard]] std::vector<Race> races(std::uint64_t last = ~0ULL) const;

private:
    std::vector<std::unique_ptr<RaceBlockObserver>> parts_;
};

}  // namespace lab::observers
