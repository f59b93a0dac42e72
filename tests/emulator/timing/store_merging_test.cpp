// Stores of a block that L1 forwards: cases worked out by hand, and blocks whose stores Nsight Compute has counted on an H200.
#include "common/emulator/timing/store_merging.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace lab::timing {
namespace {

using machine::LineAccess;
using Accesses = std::vector<LineAccess>;

// Makes the accesses of a block in the machine's order: one warp after another.
class Block {
public:
    void barrier() { ++interval_; }
    // Access of 32 lanes, 4 bytes each.
    template <class AddressOf>
    void request(unsigned warp, bool is_store, AddressOf address_of) {
        std::map<std::uint64_t, std::uint32_t> words;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const std::uint64_t address = address_of(lane);
            words[address / 128] |= 1U << address % 128 / 4;
        }
        bool is_first = true;
        for (const auto& [line, of_line] : words) {
            LineAccess access;
            access.line = line;
            access.interval = interval_;
            access.warp = static_cast<std::uint8_t>(warp);
            access.is_store = is_store;
            access.is_first = is_first;
            access.words = of_line;
            for (unsigned sector = 0; sector < 4; ++sector) {
                if ((of_line >> 8 * sector & 0xffU) != 0) access.sectors |= static_cast<std::uint8_t>(1U << sector);
            }
            accesses_.push_back(access);
            is_first = false;
        }
    }
    [[nodiscard]] StoreMerging stored() const { return store_merging(accesses_); }

private:
    Accesses accesses_;
    std::uint32_t interval_ = 0;
};

constexpr std::uint64_t pitch = 4096;

// `words` neighbouring words in each of 32 / words rows, those of warp w beginning at word w * words.
auto parts(unsigned warp, unsigned words) {
    return [=](unsigned lane) { return lane / words * pitch + (warp * words + lane % words) * 4; };
}

TEST(StoreMerging, TwoWarpsBehindOneBarrierMakeOnePiece) {
    Block block;
    block.barrier();
    block.request(0, true, parts(0, 4));
    block.request(1, true, parts(1, 4));
    EXPECT_EQ(block.stored().touched, 16U);
    EXPECT_EQ(block.stored().forwarded, 8U);
    EXPECT_EQ(block.stored().forwarded_in_part, 0U);
}

TEST(StoreMerging, AThirdWarpComesTooLate) {
    Block block;
    for (unsigned warp = 0; warp < 4; ++warp) block.request(warp, true, parts(warp, 2));
    EXPECT_EQ(block.stored().touched, 64U);
    EXPECT_EQ(block.stored().forwarded, 32U) << "two and two";
    EXPECT_EQ(block.stored().forwarded_in_part, 32U) << "half of each";
}

TEST(StoreMerging, WarpsThatWaitForDataOfTheirOwnDontMeet) {
    Block block;
    for (unsigned warp = 0; warp < 2; ++warp) {
        block.request(warp, false, [=](unsigned lane) { return 1'000'000 * pitch + (warp * 32 + lane) * 4; });
        block.request(warp, true, parts(warp, 4));
    }
    EXPECT_EQ(block.stored().forwarded, 16U);
}

TEST(StoreMerging, WarpsThatWaitForTheSamePieceDo) {
    Block block;
    for (unsigned warp = 0; warp < 2; ++warp) {
        block.request(warp, false, [=](unsigned lane) { return 1'000'000 * pitch + parts(warp, 4)(lane); });
        block.request(warp, true, parts(warp, 4));
    }
    EXPECT_EQ(block.stored().forwarded, 8U);
}

TEST(StoreMerging, ABarrierBetweenKeepsThemApart) {
    Block block;
    block.request(0, true, parts(0, 4));
    block.barrier();
    block.request(1, true, parts(1, 4));
    EXPECT_EQ(block.stored().forwarded, 16U);
}

TEST(StoreMerging, OfRequestsToManyLinesTheFirstHasLeft) {
    Block block;
    for (unsigned warp = 0; warp < 2; ++warp) block.request(warp, true, parts(warp, 1));
    EXPECT_EQ(block.stored().forwarded, 64U);
}

TEST(StoreMerging, WholePiecesStayWhatTheyAre) {
    Block block;
    for (unsigned warp = 0; warp < 2; ++warp) block.request(warp, true, [=](unsigned lane) { return (warp * 32 + lane) * 4; });
    EXPECT_EQ(block.stored().touched, 8U);
    EXPECT_EQ(block.stored().forwarded, 8U);
    EXPECT_EQ(block.stored().forwarded_in_part, 0U);
}

// Nsight Compute's counts of lab 5's kernels that store columns, 2048 x 2048: the share of sectors that L1 forwards, modelled by one block.
// The model leaves out that some adjacent warps merge although each waits for its own loads, up to one pair in three.
TEST(StoreMerging, AnH200ForwardsAsManyOrAFewLess) {
    std::ifstream file(LAB_SOURCE_FOLDER "/tests/measured/h200_traffic.jsonl");
    ASSERT_TRUE(file);
    std::string line;
    std::getline(file, line);
    unsigned compared = 0;
    while (std::getline(file, line)) {
        const nlohmann::json row = nlohmann::json::parse(line);
        const std::string kernel = row["kernel"];
        if (row["size"] != nlohmann::json{2048, 2048} || (kernel != "copy_col" && kernel != "naive_row")) continue;
        const unsigned wide = row["block"][0];
        const unsigned high = row["block"][1];
        Block block;
        for (unsigned warp = 0; warp < wide * high / 32; ++warp) {
            const auto row_major = [&](unsigned lane) { return (warp * 32 + lane) / wide * 8192UL + (warp * 32 + lane) % wide * 4UL; };
            const auto column_major = [&](unsigned lane) { return (warp * 32 + lane) % wide * 8192UL + (warp * 32 + lane) / wide * 4UL; };
            const std::uint64_t elsewhere = 1UL << 30;
            block.request(warp, false,
                          [&](unsigned lane) { return elsewhere + (kernel == "copy_col" ? column_major(lane) : row_major(lane)); });
            block.request(warp, true, column_major);
        }
        const StoreMerging stored = block.stored();
        const double measured = row["written"].get<double>() / row["store_sectors"].get<double>();
        const double modelled = static_cast<double>(stored.forwarded) / static_cast<double>(stored.touched);
        EXPECT_GE(modelled, measured - 0.08) << kernel << " in blocks of " << wide << "x" << high;
        EXPECT_LE(modelled, measured + 0.17) << kernel << " in blocks of " << wide << "x" << high;
        ++compared;
    }
    EXPECT_EQ(compared, 16U);
}

}  // namespace
}  // namespace lab::timing
