// The model's terms, each by a launch that only it can bind, worked out by hand from the H100's rates.
#include "common/emulator/devices/time_model.h"

#include <gtest/gtest.h>

namespace lab::devices {
namespace {

constexpr std::uint64_t million = 1'000'000;

LaunchShape full_device() {
    LaunchShape shape;
    shape.grid = {132 * 16, 1, 1};
    shape.block = {256, 1, 1};
    return shape;
}

TEST(TimeModel, LaunchAloneTakesItsFixedCost) {
    LaunchShape one;
    const TimeEstimate time = modelled(device_of("h100"), {}, one);
    EXPECT_NEAR(time.ms, 0.0032, 0.00001);
}

TEST(TimeModel, InstructionsBindByIssueRate) {
    machine::Counters counters;
    counters.warp_instructions = 528 * million;
    const TimeEstimate time = modelled(device_of("h100"), counters, full_device());
    EXPECT_EQ(time.bound, Bound::issue);
    EXPECT_NEAR(time.issue_ms, 1.0 / 1.98, 1e-9);  // 528 schedulers, a million instructions each, 1.98 GHz
}

TEST(TimeModel, OneBlockUsesOneSm) {
    machine::Counters counters;
    counters.warp_instructions = 4 * million;
    LaunchShape one;
    EXPECT_NEAR(modelled(device_of("h100"), counters, one).issue_ms, 1.0 / 1.98, 1e-9);
}

TEST(TimeModel, BankConflictsBindByWavefronts) {
    machine::Counters counters;
    counters.warp_instructions = 132 * million;
    counters.shared_load.requests = 132 * million;
    counters.shared_load.wavefronts = 32 * 132 * million;
    const TimeEstimate time = modelled(device_of("h100"), counters, full_device());
    EXPECT_EQ(time.bound, Bound::l1);
    EXPECT_NEAR(time.l1_ms, 32.0 / 1.98, 1e-6);
}

TEST(TimeModel, ConstantReadsOfManyWordsAreIssuedOncePerWord) {
    machine::Counters counters;
    counters.warp_instructions = 528 * million;
    counters.constant_load.requests = 264 * million;
    counters.constant_load.wavefronts = 3 * 264 * million;
    counters.constant_load.conflicts = 2 * 264 * million;
    EXPECT_NEAR(modelled(device_of("h100"), counters, full_device()).issue_ms, 2 / 1.98, 1e-9);
}

TEST(TimeModel, MappedMemoryBindsByTheBus) {
    machine::Counters counters;
    counters.global_store.requests = counters.mapped_store.requests = million;
    counters.global_store.sectors = counters.mapped_store.sectors = 4 * million;
    counters.mapped_load.sectors = million;  // the other way, at the same time
    const TimeEstimate time = modelled(device_of("h100"), counters, full_device());
    EXPECT_EQ(time.bound, Bound::bus);
    EXPECT_NEAR(time.bus_ms, 128 / 55.3, 0.05);  // 128 MB at the rate of a page-locked copy
}

TEST(TimeModel, FootprintsBeyondL2BindByDram) {
    machine::Counters counters;
    constexpr std::uint64_t bytes = std::uint64_t{1} << 30;
    counters.global_load.requests = bytes / 128;
    counters.global_load.sectors = bytes / 32;
    LaunchShape shape = full_device();
    shape.footprint_bytes = bytes;
    const TimeEstimate time = modelled(device_of("h100"), counters, shape);
    EXPECT_EQ(time.bound, Bound::dram);
    EXPECT_NEAR(time.dram_ms, static_cast<double>(bytes) / (3352.3e6 * 0.91), 1e-6);
    shape.footprint_bytes = 1 << 20;  // the same traffic from what stays in L2
    EXPECT_EQ(modelled(device_of("h100"), counters, shape).dram_ms, 0);
}

// 120 MB of transactions on the GTX 280, in one wave or many: what counts is the busiest partition of each.
TEST(TimeModel, PartitionsBindByTheBusiestOne) {
    machine::Counters counters;
    counters.global_load.sectors = 120 * million / 32;
    LaunchShape shape;
    shape.grid = {30 * 16, 1, 1};
    shape.block = {256, 1, 1};
    shape.busiest_bytes = 120 * million / 8;  // spread evenly
    const TimeEstimate even = modelled(device_of("gtx280"), counters, shape);
    EXPECT_EQ(even.bound, Bound::dram);
    EXPECT_NEAR(even.dram_ms, 120e6 / (141.7e6 * 0.70), 1e-6);
    shape.busiest_bytes = 120 * million;  // all of it through one partition at a time, which gives an eighth of 141.7 GB/s
    EXPECT_NEAR(modelled(device_of("gtx280"), counters, shape).dram_ms, 120e6 / (141.7e6 / 8 * 0.31), 1e-3);
    shape.footprint_bytes = 1;  // no L2 keeps anything
    EXPECT_NEAR(modelled(device_of("gtx280"), counters, shape).dram_ms, 120e6 / (141.7e6 / 8 * 0.31), 1e-3);
}

TEST(TimeModel, Gt200StartsAnInstructionEveryFourClocksAndHasHalfAsManyBanks) {
    machine::Counters counters;
    counters.warp_instructions = 30 * million;
    counters.shared_load.wavefronts = 30 * 4 * million;  // 2 clocks each
    LaunchShape shape;
    shape.grid = {30 * 16, 1, 1};
    const TimeEstimate time = modelled(device_of("gtx280"), counters, shape);
    EXPECT_NEAR(time.issue_ms, 4 / 1.296, 1e-6);
    EXPECT_NEAR(time.l1_ms, 8 / 1.296, 1e-6);
    EXPECT_EQ(time.bound, Bound::l1);
    EXPECT_EQ(time.l2_ms, 0);
}

TEST(TimeModel, CopyOf256MiBWithinTheDeviceTakesWhatItTookOnTheH100) {
    EXPECT_NEAR(modelled_copy_ms(device_of("h100"), 256 << 20, CopyPath::device), 0.1813 - 0.0012, 0.1813 * 0.05);
    EXPECT_NEAR(modelled_copy_ms(device_of("h100"), 256 << 20, CopyPath::pinned), 4.859 - 0.0012, 4.859 * 0.05);
}

}  // namespace
}  // namespace lab::devices
