// What all workers of one launch share.
#pragma once

#include <atomic>
#include <cstdint>

namespace lab::machine {

struct LaunchShared {
    std::atomic<std::uint64_t> next_block{0};
    std::atomic<std::uint64_t> instructions{0};     // warp instructions of all workers, a little behind
    std::atomic<std::uint64_t> stop_at{~0ULL};      // lowest block that ended with a fault: none after it need run
    std::atomic<bool> interrupted{false};
};

}  // namespace lab::machine
