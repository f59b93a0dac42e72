// The passes through L1 that a request takes, against those that an H200 took (tests/gpu/device_figures.cu, line_requests): rows at eleven
// distances, of which a warp reads 32 words from 1 to 32 rows, 32 warps at once.
#include "common/emulator/observers/access_rules.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace lab::observers {
namespace {

unsigned passes(int compute_capability, unsigned rows, unsigned bytes_apart) {
    std::array<std::uint64_t, machine::warp_size> addresses{};
    for (unsigned lane = 0; lane < machine::warp_size; ++lane) addresses[lane] = std::uint64_t{lane % rows} * bytes_apart + lane / rows * 4;
    machine::PatternStore patterns;
    const MemoryRules& rules = rules_of(compute_capability);
    return rules.transactions(*patterns.find(addresses.data(), machine::all_lanes, 4, machine::Traffic::sectors, rules), 0);
}

TEST(L1Passes, AnH200TakesAsMany) {
    std::ifstream file(LAB_SOURCE_FOLDER "/common/emulator/devices/measured/h200_figures.jsonl");
    ASSERT_TRUE(file);
    const std::regex at(R"((\d+) lines, 32 warps(?:, (\d+) bytes apart)?)");
    double off = 0;
    unsigned compared = 0;
    for (std::string line; std::getline(file, line);) {
        const nlohmann::json figure = nlohmann::json::parse(line);
        std::smatch found;
        const std::string where = figure.value("at", "");
        if (figure.value("figure", "") != "L1 hits, cycles a request and SM" || !std::regex_match(where, found, at)) continue;
        const auto rows = static_cast<unsigned>(std::stoul(found[1]));
        const unsigned apart = found[2].matched ? static_cast<unsigned>(std::stoul(found[2])) : 128;
        const double measured = figure["value"];
        const double error = passes(90, rows, apart) / measured - 1;
        // In the measurement the first row began at a multiple of 4096; here it is the mean over all positions: 3 for 2 in the worst case.
        EXPECT_LT(std::abs(error), 0.51) << rows << " rows " << apart << " bytes apart: " << measured << " cycles";
        off += std::abs(error);
        ++compared;
    }
    ASSERT_EQ(compared, 66U);
    EXPECT_LT(off / compared, 0.06);
}

TEST(L1Passes, FourNeighbouringLinesAreLookedUpAtOnce) {
    EXPECT_EQ(passes(90, 4, 160), 1U) << "words in 32 banks";
    EXPECT_NEAR(passes(90, 32, 132), 8, 1) << "32 lines, a bank each";
    EXPECT_EQ(passes(90, 32, 128), 32U) << "one bank";
    EXPECT_EQ(passes(90, 1, 128), 1U);
}

TEST(L1Passes, Before70LinesAreCountedFourByFour) {
    EXPECT_EQ(passes(60, 32, 4000), 8U);
    EXPECT_GT(passes(70, 32, 4000), 10U);
}

}  // namespace
}  // namespace lab::observers
