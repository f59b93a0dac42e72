// Simulates L1 and DRAM rows for the accesses of sampled blocks.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/l2_window.h"
#include "common/emulator/timing/sampling.h"

namespace lab::timing {

// Set of cache lines, each with its touched sectors.
class LineSet {
public:
    void add(std::uint64_t line, unsigned sectors);
    [[nodiscard]] std::uint64_t sectors() const;
    [[nodiscard]] std::uint64_t rows(std::uint32_t row_bytes) const;

private:
    struct Entry {
        std::uint64_t line = 0;
        std::uint64_t sectors = 0;  // 0: empty
    };
    [[nodiscard]] Entry& place_of(std::uint64_t line);
    std::vector<Entry> entries_ = std::vector<Entry>(1024);  // open addressing by a hash of the cache line; at most half full
    std::uint64_t used_ = 0;
};

// Its results don't depend on the workers' order.
class TrafficSample final : public machine::BlockSampler {
public:
    explicit TrafficSample(const Sampling& sampling) : sampling_(sampling) {}

    // Iterations of a loop are similar; only a cache needs many of them to show its hit rate.
    [[nodiscard]] std::uint32_t lines_wanted(std::uint64_t block) const override {
        return shares_cache(block) ? 4096 : is_neighbour(block) || is_in_window(block) ? 1024 : 0;
    }
    [[nodiscard]] bool wants_constants() const override { return sampling_.constant_bytes != 0; }
    [[nodiscard]] bool can_spare(std::uint64_t block) const override { return !is_neighbour(block) && !shares_cache(block); }
    void take(std::uint64_t block, std::vector<machine::LineAccess> accesses) override;

    // Traffic of the sampled blocks; call it after the launch.
    [[nodiscard]] SampledTraffic traffic() const;

private:
    [[nodiscard]] bool is_neighbour(std::uint64_t block) const { return block - sampling_.first < sampling_.blocks; }
    [[nodiscard]] bool shares_cache(std::uint64_t block) const {
        const std::uint64_t behind = block - sampling_.first;
        return block >= sampling_.first && behind % sampling_.apart == 0 && behind / sampling_.apart < sampling_.cache_blocks;
    }

    [[nodiscard]] bool is_in_window(std::uint64_t block) const { return block - sampling_.first < sampling_.window_blocks; }

    Sampling sampling_;
    std::mutex mutex_;
    L2Window window_{sampling_.window_bytes, sampling_.window_blocks, sampling_.resident};
    std::map<std::uint64_t, std::vector<machine::LineAccess>> sharing_, sharing_constants_;  // by block
    LineSet loaded_, stored_;                                                                // by neighbours
    std::uint64_t neighbours_ = 0, lines_ = 0;
};

}  // namespace lab::timing
