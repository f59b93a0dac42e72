// L2 capacity model: traffic of neighbouring blocks, against exact values for all cache lines instead of sampled ones.
#include "common/emulator/timing/l2_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lab::timing {
namespace {

using machine::LineAccess;

LineAccess access(std::uint64_t line, std::uint32_t words, bool is_store) {
    LineAccess made;
    made.line = line;
    made.words = words;
    made.sectors = static_cast<std::uint8_t>(touched_sectors(words));
    made.is_store = is_store;
    return made;
}

constexpr std::uint64_t lines_a_block = 1000;
// Each block touches its own cache lines.
L2Window apart(std::uint64_t bytes, std::uint64_t blocks, std::uint32_t words, bool is_store, std::uint64_t wanted = 1000) {
    L2Window window(bytes, wanted, 8);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        std::vector<LineAccess> accesses;
        for (std::uint64_t i = 0; i < lines_a_block; ++i) accesses.push_back(access(block * lines_a_block + i, words, is_store));
        window.add(block, accesses);
    }
    return window;
}
std::uint64_t sum(const std::array<std::uint64_t, 2>& pairs) { return std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0}); }

TEST(L2Window, SaysWhetherAllThatWasLookedAtFits) {
    const WindowTraffic fits = apart(10 * lines_a_block * 128, 8, ~0U, false, 8).traffic();
    EXPECT_EQ(fits.blocks, 8U);
    EXPECT_FALSE(fits.fills_cache);
    EXPECT_EQ(apart(10 * lines_a_block * 128, 8, ~0U, false, 9).traffic().blocks, 0U) << "a block is missing";
    EXPECT_TRUE(apart(5 * lines_a_block * 128, 8, ~0U, false, 9).traffic().fills_cache);
    EXPECT_EQ(L2Window(0, 8, 1).traffic().blocks, 0U) << "no block was seen";
}

TEST(L2Window, EndsWithTheBlockThatFillsIt) {
    const WindowTraffic traffic = apart(10 * lines_a_block * 128, 40, ~0U, false).traffic();
    EXPECT_NEAR(static_cast<double>(traffic.blocks), 11, 1);
    EXPECT_EQ(traffic.accesses, traffic.blocks * lines_a_block);
    EXPECT_NEAR(static_cast<double>(traffic.loaded[1]), 2 * static_cast<double>(traffic.accesses),
                0.2 * static_cast<double>(traffic.accesses));
    EXPECT_EQ(sum(traffic.loaded), traffic.loaded[1]) << "two pairs a line";
    EXPECT_EQ(sum(traffic.stored) + sum(traffic.stored_in_part), 0U);
}

TEST(L2Window, PiecesOfALineAreToldApart) {
    // A word of the first sector, all of the second, none of the others.
    const WindowTraffic stored = apart(lines_a_block * 64 * 4, 20, 0x0000ff01, true).traffic();
    ASSERT_NE(stored.blocks, 0U);
    EXPECT_EQ(stored.stored[0], stored.stored_in_part[0]) << "a pair has both";
    EXPECT_EQ(sum(stored.stored), stored.stored[0]);
    EXPECT_EQ(sum(stored.stored_in_part), stored.stored_in_part[0]);
    EXPECT_EQ(sum(stored.loaded), 0U);
    const WindowTraffic loaded = apart(lines_a_block * 64 * 4, 20, 0x0000ff01, false).traffic();
    EXPECT_EQ(loaded.loaded[1], sum(loaded.loaded)) << "two sectors, however much of them";
    EXPECT_NEAR(static_cast<double>(loaded.blocks), 5, 1);
    const WindowTraffic apart_from_another = apart(lines_a_block * 64 * 4, 20, 0x00010001, false).traffic();
    EXPECT_EQ(apart_from_another.loaded[0], sum(apart_from_another.loaded)) << "the first and the third sector: one of each pair";
    EXPECT_NEAR(static_cast<double>(sum(apart_from_another.loaded)), 2 * static_cast<double>(apart_from_another.accesses),
                0.2 * static_cast<double>(apart_from_another.accesses));
}

TEST(L2Window, WhatBlocksCompleteTogetherIsWhole) {
    L2Window window(lines_a_block * 128 / 2, 8, 8);
    for (std::uint64_t block = 0; block < 8; ++block) {
        std::vector<LineAccess> accesses;
        for (std::uint64_t line = 0; line < lines_a_block; ++line) accesses.push_back(access(line, 0x01010101U << block, true));
        window.add(7 - block, accesses);  // in any order
    }
    // All four sectors count from the first block on, so that it alone fills half.
    const WindowTraffic first = window.traffic();
    EXPECT_EQ(first.blocks, 1U);
    EXPECT_EQ(first.stored_in_part[1], sum(first.stored_in_part));
    EXPECT_EQ(sum(first.stored), 0U);

    L2Window larger(lines_a_block * 128 + lines_a_block * 32, 9, 8);
    for (std::uint64_t block = 0; block < 8; ++block) {
        std::vector<LineAccess> accesses;
        for (std::uint64_t line = 0; line < lines_a_block; ++line) accesses.push_back(access(line, 0x01010101U << block, true));
        larger.add(block, accesses);
    }
    std::vector<LineAccess> others;
    for (std::uint64_t line = lines_a_block; line < 3 * lines_a_block; ++line) others.push_back(access(line, 1, false));
    larger.add(8, others);
    const WindowTraffic whole = larger.traffic();
    EXPECT_EQ(whole.blocks, 9U);
    EXPECT_EQ(whole.stored[1], sum(whole.stored));
    EXPECT_NEAR(static_cast<double>(whole.stored[1]), 2 * lines_a_block, 0.3 * lines_a_block);
    EXPECT_EQ(sum(whole.stored_in_part), 0U);
    EXPECT_NEAR(static_cast<double>(whole.loaded[0]), 2 * lines_a_block, 0.15 * 2 * lines_a_block);
}

LineAccess stored_by(std::uint64_t line, std::uint32_t words, unsigned warp) {
    LineAccess made = access(line, words, true);
    made.warp = static_cast<std::uint8_t>(warp);
    return made;
}

TEST(L2Window, OpenPiecesAreThoseThatSeveralWarpsMakeWhole) {
    L2Window window(1, 3, 2);
    std::vector<LineAccess> accesses;
    for (std::uint64_t line = 0; line < lines_a_block; ++line) {
        // The first sector whole by one store, the second by two of one warp, the third by two warps, half of the fourth.
        for (const auto& [words, warp] : {std::pair(0xffU, 0U), std::pair(0xf00U, 0U), std::pair(0xf000U, 0U), std::pair(0xf0000U, 0U),
                                          std::pair(0xf00000U, 1U), std::pair(0xf000000U, 1U)})
            accesses.push_back(stored_by(line, words, warp));
    }
    window.add(0, accesses);
    accesses.clear();
    for (std::uint64_t line = 0; line < lines_a_block; ++line) accesses.push_back(stored_by(line, 0x1000000U << 4U, 0));
    window.add(1, accesses);
    accesses.clear();
    for (std::uint64_t line = 0; line < 3 * lines_a_block; ++line) accesses.push_back(stored_by(line, 1, 0));
    window.add(2, accesses);
    const PartialSectors open = window.open();
    EXPECT_EQ(open.blocks, 2U) << "the third runs later";
    EXPECT_NEAR(static_cast<double>(open.lines), lines_a_block, 0.15 * lines_a_block);
    EXPECT_EQ(open.sectors, 2 * open.lines);
    EXPECT_EQ(open.left, open.lines) << "of the fourth sector three words are missing";
}

TEST(L2Window, WhatABlockCompletesOfAnothersPiecesIsNotLeft) {
    L2Window window(1, 8, 8);
    for (std::uint64_t block = 0; block < 2; ++block) {
        std::vector<LineAccess> accesses;
        for (std::uint64_t line = 0; line < lines_a_block; ++line) accesses.push_back(stored_by(line, block == 0 ? 0x0f : 0xf0, 0));
        window.add(block, accesses);
    }
    const PartialSectors open = window.open();
    EXPECT_GT(open.sectors, 0U);
    EXPECT_EQ(open.left, 0U);
    EXPECT_EQ(open.blocks, 2U) << "as many as there are";
}

}  // namespace
}  // namespace lab::timing
