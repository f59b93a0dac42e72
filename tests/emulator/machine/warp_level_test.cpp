// Warp-level instructions: PTX ISA 9.7.9 (shfl.sync) and 9.7.13 (vote, match, redux, activemask, elect).
#include "common/emulator/machine/warp_level.h"

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

constexpr unsigned result = 0, value = 1, second = 2, third = 3, extra = 4;

Op op_for(std::uint8_t kind) {
    Op op;
    op.dst = OneWarp::slot(result);
    op.a = OneWarp::slot(value);
    op.b = OneWarp::slot(second);
    op.c = OneWarp::slot(third);
    op.extra = OneWarp::slot(extra);
    op.kind = kind;
    op.width = 4;
    return op;
}

// Lane l holds 100 + l. Returns the value that each lane received.
std::vector<std::uint64_t> shuffled(ShuffleKind kind, std::uint32_t b, std::uint32_t c, Mask participating, Mask& in_range) {
    OneWarp one;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        one.set(value, OperandType::bits32, lane, 100 + lane);
        one.set(second, OperandType::bits32, lane, b);
        one.set(third, OperandType::bits32, lane, c);
        one.set(result, OperandType::bits32, lane, 7);
    }
    predicate(one.warp(), OneWarp::slot(extra)) = 0;
    const Op op = op_for(static_cast<std::uint8_t>(kind));
    shuffle(&op, one.warp(), participating);
    in_range = predicate(one.warp(), OneWarp::slot(extra));
    std::vector<std::uint64_t> received;
    for (unsigned lane = 0; lane < warp_size; ++lane) received.push_back(one.get(result, OperandType::bits32, lane));
    return received;
}

TEST(WarpShuffle, DownKeepsItsOwnValuePastTheEnd) {
    Mask in_range = 0;
    const auto got = shuffled(ShuffleKind::down, 4, 31, all_lanes, in_range);
    for (unsigned lane = 0; lane < warp_size; ++lane) EXPECT_EQ(got[lane], 100 + (lane + 4 < 32 ? lane + 4 : lane)) << lane;
    EXPECT_EQ(in_range, 0x0fffffffU);
}

TEST(WarpShuffle, UpStopsAtTheSegmentsStart) {
    // Width 8, as __shfl_up_sync(..., 8) writes it: segment mask 0b11000, clamp 0.
    Mask in_range = 0;
    const auto got = shuffled(ShuffleKind::up, 3, 0x1800, all_lanes, in_range);
    for (unsigned lane = 0; lane < warp_size; ++lane) EXPECT_EQ(got[lane], 100 + (lane % 8 >= 3 ? lane - 3 : lane)) << lane;
    EXPECT_EQ(in_range, 0xf8f8f8f8U);
}

TEST(WarpShuffle, ButterflyExchangesPairs) {
    Mask in_range = 0;
    const auto got = shuffled(ShuffleKind::butterfly, 16, 31, all_lanes, in_range);
    for (unsigned lane = 0; lane < warp_size; ++lane) EXPECT_EQ(got[lane], 100 + (lane ^ 16U)) << lane;
    EXPECT_EQ(in_range, all_lanes);
}

TEST(WarpShuffle, IndexCountsWithinTheSegment) {
    // Width 16: segment mask 0b10000, clamp 31.
    Mask in_range = 0;
    const auto got = shuffled(ShuffleKind::index, 5, 0x101f, all_lanes, in_range);
    for (unsigned lane = 0; lane < warp_size; ++lane) EXPECT_EQ(got[lane], 100 + (lane & 16U) + 5) << lane;
}

TEST(WarpShuffle, WritesToParticipantsOnly) {
    Mask in_range = 0;
    const auto got = shuffled(ShuffleKind::down, 1, 31, 0x0000000f, in_range);
    EXPECT_EQ(got[0], 101U);
    EXPECT_EQ(got[2], 103U);
    EXPECT_EQ(got[3], 103U) << "lane 4 takes no part: its value isn't to be had";
    EXPECT_EQ(got[4], 7U);
}

TEST(WarpShuffle, MayWriteToTheRegisterThatItReads) {
    OneWarp one;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        one.set(value, OperandType::bits32, lane, lane);
        one.set(second, OperandType::bits32, lane, 1);
        one.set(third, OperandType::bits32, lane, 31);
    }
    Op op = op_for(static_cast<std::uint8_t>(ShuffleKind::butterfly));
    op.dst = OneWarp::slot(value);
    op.extra = no_result;
    shuffle(&op, one.warp(), all_lanes);
    for (unsigned lane = 0; lane < warp_size; ++lane) EXPECT_EQ(one.get(value, OperandType::bits32, lane), lane ^ 1U);
}

Mask voted(VoteKind kind, Mask source, Mask participating, std::uint8_t flags = 0) {
    OneWarp one;
    predicate(one.warp(), OneWarp::slot(value)) = source;
    predicate(one.warp(), OneWarp::slot(result)) = 0;
    Op op = op_for(static_cast<std::uint8_t>(kind));
    op.flags = flags;
    vote(&op, one.warp(), participating);
    return predicate(one.warp(), OneWarp::slot(result));
}

TEST(WarpVote, AsksParticipantsOnly) {
    EXPECT_EQ(voted(VoteKind::all, 0x0f, 0x0f), 0x0fU);
    EXPECT_EQ(voted(VoteKind::all, 0x0e, 0x0f), 0U);
    EXPECT_EQ(voted(VoteKind::any, 0x10, 0x0f), 0U);
    EXPECT_EQ(voted(VoteKind::any, 0x11, 0x0f), 0x0fU);
    EXPECT_EQ(voted(VoteKind::uniform, 0xf0, 0x0f), 0x0fU);
    EXPECT_EQ(voted(VoteKind::uniform, 0x01, 0x0f), 0U);
    EXPECT_EQ(voted(VoteKind::all, 0, 0x0f, flag_negated_source), 0x0fU);
}

TEST(WarpVote, BallotGivesTheMaskToEachParticipant) {
    OneWarp one;
    predicate(one.warp(), OneWarp::slot(value)) = 0xa5a5a5a5;
    one.set(result, OperandType::bits32, 8, 7);
    const Op op = op_for(static_cast<std::uint8_t>(VoteKind::ballot));
    vote(&op, one.warp(), 0xff);
    EXPECT_EQ(one.get(result, OperandType::bits32, 0), 0xa5U);
    EXPECT_EQ(one.get(result, OperandType::bits32, 7), 0xa5U);
    EXPECT_EQ(one.get(result, OperandType::bits32, 8), 7U);
}

TEST(WarpMatch, FindsEqualValuesOfEitherWidth) {
    OneWarp narrow;
    for (unsigned lane = 0; lane < warp_size; ++lane) narrow.set(value, OperandType::bits32, lane, lane % 4);
    Op op = op_for(static_cast<std::uint8_t>(MatchKind::any));
    match(&op, narrow.warp(), 0x0000ffff);
    EXPECT_EQ(narrow.get(result, OperandType::bits32, 1), 0x2222U);
    OneWarp wide;
    for (unsigned lane = 0; lane < warp_size; ++lane) wide.set(value, OperandType::bits64, lane, std::uint64_t{lane / 16} << 32U);
    op.width = 8;
    match(&op, wide.warp(), all_lanes);
    EXPECT_EQ(wide.get(result, OperandType::bits32, 0), 0x0000ffffU);
    EXPECT_EQ(wide.get(result, OperandType::bits32, 31), 0xffff0000U);
}

TEST(WarpMatch, AllTellsWhetherTheParticipantsAgree) {
    OneWarp one;
    for (unsigned lane = 0; lane < warp_size; ++lane) one.set(value, OperandType::bits32, lane, lane < 8 ? 5 : lane);
    predicate(one.warp(), OneWarp::slot(extra)) = 0;
    const Op op = op_for(static_cast<std::uint8_t>(MatchKind::all));
    match(&op, one.warp(), 0xff);
    EXPECT_EQ(one.get(result, OperandType::bits32, 3), 0xffU);
    EXPECT_EQ(predicate(one.warp(), OneWarp::slot(extra)), 0xffU);
    match(&op, one.warp(), 0x1ff);
    EXPECT_EQ(one.get(result, OperandType::bits32, 3), 0U);
    EXPECT_EQ(predicate(one.warp(), OneWarp::slot(extra)), 0U);
}

TEST(WarpReduce, CombinesParticipants) {
    const auto reduced = [](ReduceKind kind) {
        OneWarp one;
        const std::uint32_t values[] = {6, 0xfffffffb, 3, 999};  // 6, -5, 3; lane 3 takes no part
        for (unsigned lane = 0; lane < 4; ++lane) one.set(value, OperandType::bits32, lane, values[lane]);
        const Op op = op_for(static_cast<std::uint8_t>(kind));
        reduce(&op, one.warp(), 0x7);
        EXPECT_EQ(one.get(result, OperandType::bits32, 0), one.get(result, OperandType::bits32, 2));
        return static_cast<std::uint32_t>(one.get(result, OperandType::bits32, 0));
    };
    EXPECT_EQ(reduced(ReduceKind::add), 4U);
    EXPECT_EQ(reduced(ReduceKind::min_signed), 0xfffffffbU);
    EXPECT_EQ(reduced(ReduceKind::max_signed), 6U);
    EXPECT_EQ(reduced(ReduceKind::min_unsigned), 3U);
    EXPECT_EQ(reduced(ReduceKind::max_unsigned), 0xfffffffbU);
    EXPECT_EQ(reduced(ReduceKind::bit_and), 6U & 0xfffffffbU & 3U);
    EXPECT_EQ(reduced(ReduceKind::bit_or), 0xffffffffU);
    EXPECT_EQ(reduced(ReduceKind::bit_xor), 6U ^ 0xfffffffbU ^ 3U);
}

TEST(WarpElect, ChoosesTheLowestParticipant) {
    OneWarp one;
    predicate(one.warp(), OneWarp::slot(extra)) = 0;
    const Op op = op_for(0);
    elect(&op, one.warp(), 0xf0);
    EXPECT_EQ(one.get(result, OperandType::bits32, 6), 4U);
    EXPECT_EQ(predicate(one.warp(), OneWarp::slot(extra)), 0x10U);
}

TEST(WarpActiveMask, IsThePathsMask) {
    OneWarp one;
    one.warp().set_mask(0x00ff00ff);
    const Op op = op_for(0);
    Definition definition;
    definition.run[0] = definition.run[1] = active_mask;
    EXPECT_TRUE(run_one(definition, op, one.warp(), false));
    EXPECT_EQ(one.get(result, OperandType::bits32, 7), 0x00ff00ffU);
}

}  // namespace
}  // namespace lab::machine::testing
