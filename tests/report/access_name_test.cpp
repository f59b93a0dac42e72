// Names of access patterns, each worked out from what the lanes of a warp ask for.
#include "common/report/access_name.h"

#include <gtest/gtest.h>

#include <functional>

namespace lab::report {
namespace {

LaneAccess access(const std::function<std::int64_t(std::int64_t)>& offset_of, std::uint64_t address = 0, std::int64_t lanes = 32) {
    LaneAccess access;
    access.address = address;
    for (std::int64_t lane = 0; lane < lanes; ++lane) access.lanes[static_cast<std::size_t>(lane)] = offset_of(lane);
    return access;
}

std::string shared_name(const std::function<std::int64_t(std::int64_t)>& offset_of) {
    LaneAccess lanes = access(offset_of);
    lanes.is_shared = true;
    return access_name(lanes);
}

const auto contiguous = [](std::int64_t lane) { return 4 * lane; };

TEST(AccessName, TellsHowFarLanesAreApart) {
    EXPECT_EQ(access_name(access([](std::int64_t) { return 0; })), "broadcast");
    EXPECT_EQ(access_name(access(contiguous)), "contiguous");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return 4096 * lane; })), "strided by 1024 elements");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return 8 * lane; })), "strided by 2 elements");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return 4 * (31 - lane); })), "strided by 1 element, descending");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return lane * lane * 4; })), "scattered");
}

TEST(AccessName, TellsWhereASectorIsMissed) {
    EXPECT_EQ(access_name(access(contiguous, 4)), "contiguous, misaligned by 1 element");
    EXPECT_EQ(access_name(access(contiguous, 1024 + 12)), "contiguous, misaligned by 3 elements");
    EXPECT_EQ(access_name(access(contiguous, 1024 + 32)), "contiguous");
    LaneAccess doubles = access([](std::int64_t lane) { return 8 * lane; }, 8);
    doubles.bytes = 8;
    EXPECT_EQ(access_name(doubles), "contiguous, misaligned by 1 element");
}

TEST(AccessName, TellsPaddingFromConflicts) {
    EXPECT_EQ(shared_name(contiguous), "contiguous");
    EXPECT_EQ(shared_name([](std::int64_t lane) { return 128 * lane; }), "strided by 32 words");
    EXPECT_EQ(shared_name([](std::int64_t lane) { return 132 * lane; }), "strided by 33 words (padded)");
    EXPECT_EQ(shared_name([](std::int64_t lane) { return 68 * lane; }), "strided by 17 words");
}

TEST(AccessName, TellsGroupsOfLanesInNarrowBlocks) {
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return lane % 16 * 4; })), "contiguous, repeated every 16 lanes");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return lane / 16 * 4096; })),
              "broadcast to groups of 16 lanes, 1024 elements apart");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return lane % 16 * 4 + lane / 16 * 4096; })),
              "rows of 16 elements, 1024 elements apart");
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return lane % 8 * 4096 + lane / 8 * 4; })),
              "strided by 1024 elements, in groups of 8 lanes, 1 element apart");
    // Blocks 25 wide: 25 elements of one row, 7 of the next.
    EXPECT_EQ(access_name(access([](std::int64_t lane) { return lane % 25 * 4 + lane / 25 * 400; })), "contiguous in 2 parts");
}

TEST(AccessName, LooksAtActiveLanesOnly) {
    EXPECT_EQ(access_name(access(contiguous, 0, 1)), "one lane");
    EXPECT_EQ(access_name(access(contiguous, 0, 0)), "no lane");
    EXPECT_EQ(access_name(access(contiguous, 0, 20)), "contiguous");
    LaneAccess odd;
    for (std::size_t lane = 1; lane < 32; lane += 2) odd.lanes[lane] = static_cast<std::int64_t>(4 * lane - 4);
    EXPECT_EQ(access_name(odd), "contiguous");
}

}  // namespace
}  // namespace lab::report
