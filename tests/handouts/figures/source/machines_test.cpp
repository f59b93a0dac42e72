#include "handouts/figures/source/machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace lab::report {
namespace {

TEST(IssueSlots, AreFullWhenSixWarpsHideTwentyFourClocks) {
    const std::vector<int> one = issue_slots(1, 24, 4, 18);
    EXPECT_EQ(std::count(one.begin(), one.end(), 0), 3);  // at 0, 24 and 48 of 72 clocks
    EXPECT_EQ(one[6], 0);
    EXPECT_EQ(one[5], -1);
    const std::vector<int> two = issue_slots(2, 24, 4, 18);
    EXPECT_EQ(std::count(two.begin(), two.end(), -1), 12);
    const std::vector<int> six = issue_slots(6, 24, 4, 18);
    EXPECT_EQ(std::count(six.begin(), six.end(), -1), 0);
    EXPECT_EQ(six[13], 1);
    const std::vector<int> seven = issue_slots(7, 24, 4, 18);
    EXPECT_EQ(seven[6], 6) << "the seventh warp takes the slot of the first, which waits";
}

TEST(SmUse, IsThePrimersTable) {
    const SmUse gt200 = sm_use("1.3", {256, 10, 2092});
    EXPECT_EQ(gt200.occupancy.blocks, 4U);
    EXPECT_TRUE(gt200.resources[0].is_limit);
    EXPECT_EQ(gt200.resources[1].a_block, 2560U);
    EXPECT_EQ(gt200.resources[2].a_block, 2560U);
    const SmUse hopper = sm_use("9.0", {256, 40, 16384});
    EXPECT_EQ(hopper.occupancy.blocks, 6U);
    EXPECT_TRUE(hopper.resources[1].is_limit);
    EXPECT_EQ(hopper.resources[1].a_block, 256U * 40);
    EXPECT_EQ(hopper.resources[2].available, 228U * 1024);
    EXPECT_THROW((void)sm_use("4.0", {32, 1, 0}), std::invalid_argument);
}

double at(const std::vector<OccupancyPoint>& curve, std::uint32_t value) {
    const auto found = std::find_if(curve.begin(), curve.end(), [&](const OccupancyPoint& point) { return point.value == value; });
    return found == curve.end() ? -1 : found->occupancy;
}

// By hand for 64 threads, compute capability 1.3: 8 block slots are 16 of 32 warps.
TEST(OccupancyCurve, StepsWhereAResourceRunsOut) {
    const devices::KernelNeeds needs{64, 10, 2092};
    const auto shared = occupancy_curve("1.3", needs, Need::shared_bytes);
    EXPECT_DOUBLE_EQ(at(shared, 2048), 0.5);
    EXPECT_DOUBLE_EQ(at(shared, 2112), 0.375);      // 2560 bytes each: six blocks
    EXPECT_DOUBLE_EQ(at(shared, 16384), 2.0 / 32);  // one block
    const auto registers = occupancy_curve("1.3", needs, Need::registers);
    EXPECT_EQ(registers.size(), 124U);
    EXPECT_DOUBLE_EQ(at(registers, 124), 4.0 / 32);  // 64 * 124 = 7936, given out as 8192: two blocks
    const auto threads = occupancy_curve("1.3", {256, 10, 2092}, Need::threads);
    EXPECT_EQ(threads.back().value, 512U);
    EXPECT_DOUBLE_EQ(at(threads, 256), 1);
    EXPECT_DOUBLE_EQ(at(threads, 32), 6.0 / 32);  // six blocks by shared memory
}

TEST(Roofline, IsThePrimersTable) {
    const Roofline h100 = roofline_of(devices::device_of("h100"));
    EXPECT_NEAR(h100.at(intensity_of_product(1)), 838, 0.5);
    EXPECT_NEAR(h100.at(intensity_of_product(16)), 13409, 1);
    EXPECT_NEAR(h100.at(intensity_of_product(80)), 66908, 1);
    EXPECT_NEAR(roofline_of(devices::device_of("c2075")).gflop_per_s, 1028, 0.5);
}

TEST(MemoryLevels, AreWhatWasMeasured) {
    const std::vector<MemoryLevel> levels = memory_levels();
    ASSERT_EQ(levels.size(), 5U);
    EXPECT_EQ(levels[1].latency, "29 and 41");
    EXPECT_EQ(levels[1].rate, "33454 ¹");  // 32 banks of 4 bytes, 132 SMs, 1.98 GHz
    std::ifstream file(std::string(LAB_SOURCE_FOLDER) + "/common/emulator/devices/measured/h100_figures.jsonl");
    double dram = 0;
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line);
        if (row.value("figure", "") == "latency past L1" && row.value("at", "") == "262144 KiB") dram = row.at("value");
    }
    EXPECT_EQ(levels[3].latency, std::to_string(std::lround(dram)));
}

TEST(SmParts, AreThoseOfTheManuals) {
    const SmParts fermi = sm_parts("c2075");
    EXPECT_EQ(fermi.schedulers, 2);
    EXPECT_EQ(fermi.lanes, 32);
    EXPECT_EQ(fermi.warps, 48);
    EXPECT_EQ(fermi.registers, 32768U);
    EXPECT_EQ(fermi.l1_and_shared_kib, 64U);
    const SmParts hopper = sm_parts("h100");
    EXPECT_EQ(hopper.schedulers, 4);
    EXPECT_EQ(hopper.lanes, 128);
    EXPECT_EQ(hopper.l1_and_shared_kib, 256U);
    EXPECT_EQ(hopper.shared_kib, 228U);
}

}  // namespace
}  // namespace lab::report
