// Simulated caches and DRAM rows for sampled accesses: cases worked out by hand, and on the machine.
#include "common/emulator/timing/traffic_sample.h"

#include <algorithm>
#include <random>

#include "tests/emulator/machine_fixture.h"

namespace lab::timing {

using namespace machine::testing;
using machine::LineAccess;
namespace {

LineAccess load(std::uint64_t line, unsigned sectors, unsigned warp = 0, std::uint32_t interval = 0) {
    return {line, interval, static_cast<std::uint8_t>(sectors), static_cast<std::uint8_t>(warp), false};
}
LineAccess store(std::uint64_t line, unsigned sectors) { return {line, 0, static_cast<std::uint8_t>(sectors), 0, true}; }

Sampling cache_of(std::uint64_t lines, std::uint64_t blocks = 1) {
    Sampling sampling;
    sampling.cache_blocks = blocks;
    sampling.cache_bytes = lines * 128;
    return sampling;
}

SampledTraffic traffic_of(const Sampling& sampling, const std::vector<std::vector<LineAccess>>& blocks) {
    TrafficSample sample(sampling);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_NE(sample.lines_wanted(i * sampling.apart), 0U);
        sample.take(i * sampling.apart, blocks[i]);
    }
    return sample.traffic();
}

TEST(TrafficSample, ASecondLoadHitsWhatTheFirstHasFetched) {
    const SampledTraffic traffic = traffic_of(cache_of(4), {{load(7, 0b0011), load(7, 0b0110), load(7, 0b0111)}});
    EXPECT_EQ(traffic.load_sectors, 7U);
    EXPECT_EQ(traffic.missed_sectors, 3U) << "two, then the one that was not there";
    EXPECT_EQ(traffic.load_lines, 3U);
    EXPECT_EQ(traffic.missed_lines, 2U);
}

TEST(TrafficSample, WholeLinesAreFetchedWhereTheDeviceDoesSo) {
    Sampling sampling = cache_of(4);
    sampling.whole_lines = true;
    const SampledTraffic traffic = traffic_of(sampling, {{load(7, 0b0001), load(7, 0b1000)}});
    EXPECT_EQ(traffic.load_sectors, 8U);
    EXPECT_EQ(traffic.missed_sectors, 4U);
    EXPECT_EQ(traffic.missed_lines, 1U);
}

TEST(TrafficSample, WhatWasUsedLongestAgoGoesFirst) {
    const auto missed = [](std::vector<LineAccess> accesses) { return traffic_of(cache_of(2), {std::move(accesses)}).missed_lines; };
    EXPECT_EQ(missed({load(1, 1), load(2, 1), load(1, 1), load(3, 1), load(1, 1)}), 3U) << "3 takes the place of 2";
    EXPECT_EQ(missed({load(1, 1), load(2, 1), load(3, 1), load(1, 1)}), 4U);
    EXPECT_EQ(traffic_of(cache_of(0), {{load(1, 1), load(1, 1)}}).missed_lines, 2U) << "no cache";
    EXPECT_EQ(missed({store(1, 1), load(1, 1)}), 1U) << "stores don't fill it";
}

TEST(TrafficSample, LinesOfOneSetTakeEachOthersPlace) {
    Sampling sampling = cache_of(8);
    sampling.cache_ways = 2;  // 4 sets
    EXPECT_EQ(traffic_of(sampling, {{load(0, 1), load(4, 1), load(8, 1), load(0, 1)}}).missed_lines, 4U);
    EXPECT_EQ(traffic_of(sampling, {{load(0, 1), load(1, 1), load(2, 1), load(0, 1)}}).missed_lines, 3U);
}

// Against sets as plain lists, the most recently used entry first.
TEST(TrafficSample, RandomAccessesMissWhatPlainListsMiss) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (const std::uint32_t ways : {0U, 1U, 2U, 4U, 7U}) {
        Sampling sampling = cache_of(28);
        sampling.cache_ways = ways;
        const std::size_t room = ways == 0 ? 28 : ways;
        std::vector<std::vector<std::pair<std::uint64_t, unsigned>>> sets(28 / room);
        std::vector<LineAccess> accesses;
        std::uint64_t missed_sectors = 0;
        for (int i = 0; i < 3000; ++i) {
            accesses.push_back(load(random() % 60 * (i / 1000 + 1), 1 + random() % 15));
            const LineAccess& access = accesses.back();
            auto& set = sets[access.line % sets.size()];
            const auto found = std::find_if(set.begin(), set.end(), [&](const auto& each) { return each.first == access.line; });
            const unsigned present = found == set.end() ? 0 : found->second;
            if (found != set.end()) set.erase(found);
            missed_sectors += static_cast<std::uint64_t>(__builtin_popcount(access.sectors & ~present));
            set.insert(set.begin(), {access.line, present | access.sectors});
            if (set.size() > room) set.pop_back();
        }
        EXPECT_EQ(traffic_of(sampling, {accesses}).missed_sectors, missed_sectors) << ways << " ways";
    }
}

TEST(TrafficSample, WarpsRunSideBySideBetweenBarriers) {
    // Each warp accesses cache lines 0 to 3. One after the other they always miss in a cache of two lines; interleaved, the second one hits
    // what the first has just fetched.
    std::vector<LineAccess> accesses;
    for (unsigned warp = 0; warp < 2; ++warp) {
        for (std::uint64_t line = 0; line < 4; ++line) accesses.push_back(load(line, 1, warp));
    }
    EXPECT_EQ(traffic_of(cache_of(2), {accesses}).missed_lines, 4U);
    for (LineAccess& access : accesses) access.interval = access.warp;  // a barrier between them
    EXPECT_EQ(traffic_of(cache_of(2), {accesses}).missed_lines, 8U);
}

TEST(TrafficSample, WhoFindsWhatIsOnItsWayWaitsForItToo) {
    const SampledTraffic together = traffic_of(cache_of(4), {{load(0, 1, 0), load(0, 1, 1), load(0, 1, 2)}});
    EXPECT_EQ(together.missed_lines, 1U);
    EXPECT_EQ(together.load_requests, 3U);
    EXPECT_EQ(together.waiting_requests, 3U);
    const SampledTraffic again = traffic_of(cache_of(4), {{load(0, 1), load(0, 1), load(0, 1)}});
    EXPECT_EQ(again.missed_lines, 1U);
    EXPECT_EQ(again.waiting_requests, 1U) << "the same warp has waited for the first";
}

TEST(TrafficSample, ARequestWaitsForTheLastOfItsLines) {
    LineAccess second = load(1, 1);
    second.is_first = false;
    const SampledTraffic traffic = traffic_of(cache_of(4), {{load(0, 1), load(0, 1), second, load(0, 1)}});
    EXPECT_EQ(traffic.load_lines, 4U);
    EXPECT_EQ(traffic.load_requests, 3U);
    EXPECT_EQ(traffic.waiting_requests, 2U);
}

TEST(TrafficSample, WhatIsOnItsWayComesForAllWarpsOfItsBlockThoughItsPlaceIsTaken) {
    // Two warps, each with one request for cache lines 0 to 2, a cache of two.
    std::vector<LineAccess> accesses;
    for (unsigned warp = 0; warp < 2; ++warp) {
        for (std::uint64_t line = 0; line < 3; ++line) {
            accesses.push_back(load(line, 1, warp));
            accesses.back().is_first = line == 0;
        }
    }
    EXPECT_EQ(traffic_of(cache_of(2), {accesses}).missed_lines, 3U);
    EXPECT_EQ(traffic_of(cache_of(2, 2), {accesses, accesses}).missed_lines, 6U) << "another block comes at another time";
}

TEST(TrafficSample, BlocksOfAnSmShareItsCache) {
    Sampling sampling = cache_of(2, 2);
    sampling.apart = 132;
    const std::vector<LineAccess> accesses{load(0, 1), load(1, 1), load(2, 1)};
    const SampledTraffic traffic = traffic_of(sampling, {accesses, accesses});
    EXPECT_EQ(traffic.load_lines, 6U);
    EXPECT_EQ(traffic.missed_lines, 3U);
    const TrafficSample sample(sampling);
    EXPECT_EQ(sample.lines_wanted(1), 0U);
    EXPECT_EQ(sample.lines_wanted(264), 0U);
}

// The word at `byte` of the constants.
LineAccess constant(std::uint64_t byte, unsigned warp = 0) {
    LineAccess access = load(byte / 128, 1U << byte % 128 / 32, warp);
    access.words = 1U << byte % 128 / 4;
    access.is_constant = true;
    return access;
}

TEST(TrafficSample, ConstantsHaveACacheOfTheirOwn) {
    Sampling sampling = cache_of(1);
    sampling.constant_bytes = 2048;
    sampling.constant_ways = 4;  // 8 sets
    const std::vector<LineAccess> accesses{load(7, 1), constant(0), constant(60), constant(64), load(7, 1), constant(4), constant(512)};
    const SampledTraffic traffic = traffic_of(sampling, {accesses});
    EXPECT_EQ(traffic.constant_lines, 5U);
    EXPECT_EQ(traffic.missed_constant_lines, 3U) << "lines have 64 bytes";
    EXPECT_EQ(traffic.load_lines, 2U);
    EXPECT_EQ(traffic.missed_lines, 1U) << "the cache for global memory has room for one line, and keeps it";
}

TEST(TrafficSample, ConstantsAsManyBytesApartTakeEachOthersPlace) {
    Sampling sampling = cache_of(1);
    sampling.constant_bytes = 2048;
    sampling.constant_ways = 4;
    // A row of 16 words a warp, word after word.
    const auto missed = [&](unsigned warps, std::uint64_t row_bytes) {
        std::vector<LineAccess> accesses;
        for (unsigned warp = 0; warp < warps; ++warp) {
            for (std::uint64_t word = 0; word < 16; ++word) accesses.push_back(constant(warp * row_bytes + 4 * word, warp));
        }
        return traffic_of(sampling, {accesses}).missed_constant_lines;
    };
    EXPECT_EQ(missed(4, 2048), 4U) << "a set has room for four";
    EXPECT_EQ(missed(8, 2048), 8U * 16) << "eight never find what they had";
    EXPECT_EQ(missed(8, 2048 + 64), 8U) << "each in a set of its own";
    EXPECT_EQ(missed(8, 256), 8U) << "four in one set, four in another";
    EXPECT_EQ(missed(9, 256), 5U * 16 + 4);
}

TEST(TrafficSample, RowsAndPiecesOfNeighboursCountOnce) {
    Sampling sampling;
    sampling.first = 5;
    sampling.blocks = 2;
    sampling.row_bytes = 1024;  // 8 lines
    TrafficSample sample(sampling);
    EXPECT_EQ(sample.lines_wanted(4), 0U);
    EXPECT_EQ(sample.lines_wanted(7), 0U);
    sample.take(6, {load(0, 0b11), load(9, 1), store(64, 1)});
    sample.take(5, {load(7, 1), load(0, 0b01), store(64, 0b10)});
    const SampledTraffic traffic = sample.traffic();
    EXPECT_EQ(traffic.blocks, 2U);
    EXPECT_EQ(traffic.lines, 6U);
    EXPECT_EQ(traffic.load_rows, 2U);
    EXPECT_EQ(traffic.store_rows, 1U);
    EXPECT_EQ(traffic.distinct_load_sectors, 4U);
    EXPECT_EQ(traffic.distinct_store_sectors, 2U);
    EXPECT_EQ(traffic.load_lines, 0U) << "no cache was asked for";
}

TEST(TrafficSample, SetsOfLinesGrow) {
    LineSet lines;
    for (std::uint64_t line = 0; line < 5000; ++line) lines.add(line * 7919, 1U << line % 4);
    for (std::uint64_t line = 0; line < 5000; ++line) lines.add(line * 7919, 0b0011);
    EXPECT_EQ(lines.sectors(), 1250U * (2 + 2 + 3 + 3));
    EXPECT_EQ(lines.rows(128), 5000U);
    EXPECT_EQ(lines.rows(7919 * 128 * 10), 500U);
}

// Each warp loads a cache line three times; blocks 2 and 4 of six share a cache.
TEST(TrafficSample, TheMachineTellsWhatTheBlocksAccess) {
    Situation situation;
    situation.grid = {6, 1, 1};
    situation.block = {64, 1, 1};
    situation.in.resize(4096);
    situation.sampling = cache_of(64, 2);
    situation.sampling.first = 2;
    situation.sampling.apart = 2;
    const std::string body =
        "mul.wide.u32 %rd1, %g, 4; add.s64 %rd1, %rd1, %in; ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, "
        "[%rd1+512];"
        "add.u32 %v, %r1, %r2; add.u32 %v, %v, %r3;";
    for (const unsigned threads : {1U, 3U}) {
        situation.host_threads = threads;
        const Ran ran = run_body(body, situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        EXPECT_EQ(ran.sample.load_lines, 12U) << "2 blocks of 2 warps";
        EXPECT_EQ(ran.sample.load_sectors, 48U);
        // Block 2 has lines 4 and 5, then 8 and 9, which are block 4's first ones; its last ones are 12 and 13.
        EXPECT_EQ(ran.sample.missed_lines, 6U);
        EXPECT_EQ(ran.counters().global_load.requests, 36U) << "counting goes on as ever";
    }
}

// Each warp loads 5000 constants, repeatedly from the same 64 bytes, and then its own cache line of global memory.
TEST(TrafficSample, TheMachineTellsWhichConstantsTheBlocksLoad) {
    Situation situation;
    situation.block = {64, 1, 1};
    situation.in.resize(64);
    situation.sampling = cache_of(64);
    const std::string body =
        "mov.u64 %rd1, table; mov.u32 %r1, 0;"
        "$again: and.b32 %r2, %r1, 15; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd1, %rd2; ld.const.u32 %r3, [%rd2];"
        "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5000; @%p1 bra $again;"
        "mul.wide.u32 %rd2, %g, 4; add.s64 %rd2, %rd2, %in; ld.global.u32 %v, [%rd2];";
    const std::string before = ".const .align 64 .b32 table[16];\n";
    const SampledTraffic none = run_body(body, situation, before).sample;
    EXPECT_EQ(none.constant_lines, 0U) << "nobody asked";
    situation.sampling.constant_bytes = 2048;
    situation.sampling.constant_ways = 4;
    const SampledTraffic traffic = run_body(body, situation, before).sample;
    EXPECT_EQ(traffic.constant_lines, 4096U) << "half of them by each warp";
    EXPECT_EQ(traffic.missed_constant_lines, 1U);
    EXPECT_EQ(traffic.load_lines, 2U) << "they take none of global memory's places";
}

}  // namespace
}  // namespace lab::timing
