// State shared by all workers of one launch.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>

namespace lab::machine {

inline constexpr std::uint64_t no_block = std::numeric_limits<std::uint64_t>::max();

// Warp instructions of finished blocks, summed in block order, so that a limit on the whole launch is exceeded at the same block whatever
// the number of workers.
class InstructionTotal {
public:
    // Returns the block at which the total exceeded `limit`, or no_block.
    std::uint64_t add(std::uint64_t block, std::uint64_t instructions, std::uint64_t limit) {
        const std::lock_guard lock(mutex_);
        if (block != next_) {
            ahead_.emplace(block, instructions);
            return passed_;
        }
        take_next(instructions, limit);
        while (!ahead_.empty() && ahead_.begin()->first == next_) {
            take_next(ahead_.begin()->second, limit);
            ahead_.erase(ahead_.begin());
        }
        return passed_;
    }
    [[nodiscard]] std::uint64_t passed() const { return passed_; }  // once all workers have ended

private:
    void take_next(std::uint64_t instructions, std::uint64_t limit) {
        total_ += instructions;
        if (total_ > limit && passed_ == no_block) passed_ = next_;
        ++next_;
    }

    std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> ahead_;  // finished blocks after one that isn't
    std::uint64_t next_ = 0, total_ = 0, passed_ = no_block;
};

struct LaunchShared {
    std::atomic<std::uint64_t> next_block{0};
    std::atomic<std::uint64_t> stop_at{no_block};  // lowest block that ended with a fault: none after it has to run
    std::atomic<unsigned> active{0};               // workers that run blocks,
    std::atomic<unsigned> waiting{0};              // and those of them whose block seems to wait for another
    InstructionTotal instructions;
};

}  // namespace lab::machine
