// The cache line with the most contended atomics, and the number of operations on one of its words.
#include "common/emulator/machine/contended_lines.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

using Addresses = std::array<std::uint64_t, warp_size>;

Addresses apart(std::uint64_t bytes) {
    Addresses addresses;
    for (unsigned lane = 0; lane < warp_size; ++lane) addresses[lane] = 4096 + lane * bytes;
    return addresses;
}

TEST(ContendedLines, LanesThatWantOneWordAreDoneOneAfterAnother) {
    ContendedLines lines;
    lines.note(apart(0).data(), all_lanes, 4, false);
    EXPECT_EQ(lines.worst().sectors, 1U);
    EXPECT_EQ(lines.worst().serialised, 32U);
    lines.note(apart(0).data(), 0xff, 4, true);
    EXPECT_EQ(lines.worst().serialised, 32U + 16) << "floating point takes twice as long";
    EXPECT_EQ(lines.worst().sectors, 2U);
}

TEST(ContendedLines, EachPieceOfALineIsAskedForOnce) {
    ContendedLines lines;
    lines.note(apart(4).data(), all_lanes, 4, false);
    EXPECT_EQ(lines.worst().sectors, 4U);
    EXPECT_EQ(lines.worst().serialised, 4U);
    EXPECT_EQ(lines.worst().all_sectors, 4U);
}

TEST(ContendedLines, TheLineThatMostMeetAtIsFoundOverAllWorkers) {
    ContendedLines one, other;
    one.note(apart(128).data(), all_lanes, 4, false);
    other.note(apart(128).data(), 0b100, 4, false);
    other.note(apart(128).data(), 0b100, 4, false);
    one.add(other);
    one.add(ContendedLines());
    EXPECT_EQ(one.worst().sectors, 3U);
    EXPECT_EQ(one.worst().all_sectors, 34U);
    EXPECT_EQ(ContendedLines().worst().all_sectors, 0U);
}

// 3 blocks of 64 threads, each adds to the first word of the output.
Contention met(const std::string& address, const std::string& type, const std::string& operand) {
    Situation situation;
    situation.grid = {3, 1, 1};
    situation.block = {64, 1, 1};
    const Ran ran = run_body(address + "red.global.add." + type + " [%rd9], " + operand + "; mov.u32 %v, %t;", situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.result.contention;
}

TEST(ContendedLines, OfAnAddressThatTheCompilerKnowsToBeTheSameAWarpSendsOneAtomic) {
    const std::string known = "mov.u64 %rd9, %in;";
    const std::string of_thread = "mul.wide.u32 %rd8, %t, 0; add.u64 %rd9, %in, %rd8;";
    EXPECT_EQ(met(known, "u32", "1").serialised, 6U);
    EXPECT_EQ(met(of_thread, "u32", "1").serialised, 6U * 32);
    EXPECT_EQ(met(known, "f32", "0f3f800000").serialised, 6U * 32 * 2) << "sums of floats depend on their order";
}

}  // namespace
}  // namespace lab::machine::testing
