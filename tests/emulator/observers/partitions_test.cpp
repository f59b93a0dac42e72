// Traffic of memory partitions, in examples that can be worked out by hand. 8 partitions are interleaved by 256 bytes; the
// fixture's `in` and `out` both start in partition 0, and each block of 32 threads stores 128 bytes to `out`, one behind another.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

using Bytes = std::vector<std::uint64_t>;

Situation sixteen_blocks(std::uint64_t wave_blocks) {
    Situation situation;
    situation.compute_capability = 13;
    situation.partitions = {8, 256, wave_blocks};
    situation.grid = {16, 1, 1};
    situation.in.resize(65536);
    return situation;
}

// Each thread loads the word at in + `address`, which sets %r5 from %g, the thread's index in the grid.
trace::PartitionCounts counts_of(const Situation& situation, const std::string& address) {
    const Ran ran = run_body(address + "cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd5, %in; ld.global.u32 %v, [%rd5];", situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.result.partitions;
}

constexpr const char* in_order = "shl.b32 %r5, %g, 2;";  // 128 bytes a block: two blocks fill a partition's share
constexpr const char* apart = "mul.lo.u32 %r5, %g, 2052; and.b32 %r5, %r5, 0x3fffc;";  // 513 words from thread to thread

TEST(Partitions, TakeTurnsOf256Bytes) {
    const trace::PartitionCounts counts = counts_of(sixteen_blocks(16), in_order);
    EXPECT_EQ(counts.load.bytes, Bytes(8, 256));
    EXPECT_EQ(counts.store.bytes, Bytes(8, 256));
    EXPECT_EQ(counts.both.bytes, Bytes(8, 512));
    EXPECT_EQ(counts.load.camping(), 1);
    EXPECT_EQ(counts.waves, 1U);
}

TEST(Partitions, CampWithinAWaveThoughAllAreUsedInTheEnd) {
    const trace::PartitionCounts pairs = counts_of(sixteen_blocks(2), in_order);
    EXPECT_EQ(pairs.load.bytes, Bytes(8, 256));
    EXPECT_EQ(pairs.load.camping(), 8);  // both blocks of each wave access the same partition
    EXPECT_EQ(pairs.waves, 8U);
    EXPECT_EQ(counts_of(sixteen_blocks(4), in_order).load.camping(), 4);
    EXPECT_EQ(counts_of(sixteen_blocks(8), in_order).load.camping(), 2);
}

// Waves of 6, 6 and 4 blocks: partitions of 256, 256, 256; the same; 256, 256. The busiest each time 256 of 768, 768 and 512.
TEST(Partitions, WeighEachWaveByItsTraffic) {
    EXPECT_DOUBLE_EQ(counts_of(sixteen_blocks(6), in_order).load.camping(), 8.0 * 3 * 256 / 2048);
}

// Threads 2048 bytes apart, one period of all partitions: everything comes from one, 32 bytes for each thread.
TEST(Partitions, CountBytesOfTransactionsRatherThanOfThreads) {
    const trace::PartitionCounts counts = counts_of(sixteen_blocks(16), "and.b32 %r5, %g, 31; shl.b32 %r5, %r5, 11;");
    EXPECT_EQ(counts.load.bytes, (Bytes{16 * 32 * 32, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(counts.load.camping(), 8);
    EXPECT_EQ(counts.store.camping(), 1);
    // Loads keep one partition busy for 16384 bytes, stores all for 256 each.
    EXPECT_EQ(counts.both.busiest, 16384U + 256U);
}

TEST(Partitions, CountAtomicOperationsBothWays) {
    const Ran ran =
        run_body("shl.b32 %r5, %g, 2; cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd5, %in; red.global.add.u32 [%rd5], 1;", sixteen_blocks(16));
    EXPECT_EQ(ran.result.partitions.load.total(), 2048U);
    EXPECT_EQ(ran.result.partitions.store.total(), 2048U + 2048U);
}

TEST(Partitions, AreTheSameOnAnyNumberOfHostThreadsAndInAnyOrder) {
    Situation situation = sixteen_blocks(3);
    situation.grid = {200, 1, 1};
    const trace::PartitionCounts alone = counts_of(situation, apart);
    situation.host_threads = 5;
    const trace::PartitionCounts together = counts_of(situation, apart);
    situation.order = Order::reversed;
    const trace::PartitionCounts reversed = counts_of(situation, apart);
    EXPECT_GT(alone.load.camping(), 1);
    for (const trace::PartitionCounts* other : {&together, &reversed}) {
        EXPECT_EQ(alone.load.bytes, other->load.bytes);
        EXPECT_EQ(alone.load.busiest, other->load.busiest);
        EXPECT_EQ(alone.both.busiest, other->both.busiest);
        EXPECT_EQ(alone.waves, other->waves);
    }
}

TEST(Partitions, CostNothingWhereThereAreNone) {
    Situation situation = sixteen_blocks(1);
    situation.partitions = {};
    EXPECT_EQ(counts_of(situation, in_order).waves, 0U);
    EXPECT_TRUE(counts_of(situation, in_order).load.bytes.empty());
}

// Counts before a fault depend on the host.
TEST(Partitions, AreNotToldAfterAFault) {
    const Ran ran = run_body("setp.eq.u32 %p1, %g, 500; @%p1 trap; ", sixteen_blocks(4));
    ASSERT_TRUE(ran.result.fault);
    EXPECT_TRUE(ran.result.partitions.load.bytes.empty());
}

}  // namespace
}  // namespace lab::machine::testing
