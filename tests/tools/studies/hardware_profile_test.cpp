// Parsing of ncu's output: its own messages, the row of units, quoted cells with commas.
#include "common/tools/studies/hardware_profile.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"

namespace lab::tools {
namespace {

const std::string header = R"row("ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC","smsp__inst_executed.sum")row";
const std::string units = R"row("","","","","","","","inst")row";

TEST(HardwareCounters, AreReadFromNcusTable) {
    const std::string text =
        "==PROF== Connected to process 7\n" + header + "\n" + units + "\n" +
        R"row("0","7","matmul_tiled<16, float>(const float *, int)","(16, 8, 1)","(32, 2, 1)","0","9.0","8,388,608")row" + "\r\n" +
        R"row("1","7","other(int)","(1, 1, 1)","(1, 1, 1)","0","9.0","12")row" + "\n==PROF== Disconnected\n";
    const auto launches = parse_hardware_counters(text, "ncu.csv");
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_EQ(launches[0].kernel, "matmul_tiled<16, float>(const float *, int)");
    EXPECT_EQ(launches[0].block, (std::array<unsigned, 3>{16, 8, 1}));
    EXPECT_EQ(launches[0].grid, (std::array<unsigned, 3>{32, 2, 1}));
    EXPECT_EQ(launches[0].capability, "9.0");
    EXPECT_EQ(launches[0].metrics.at("smsp__inst_executed.sum"), 8388608);
    EXPECT_EQ(launches[1].metrics.at("smsp__inst_executed.sum"), 12);
}

std::string complaint(const std::string& text) {
    try {
        static_cast<void>(parse_hardware_counters(text, "ncu.csv"));
    } catch (const BadInput& problem) {
        return problem.what();
    }
    return "none";
}

TEST(HardwareCounters, ThatAreMissingAreSaid) {
    EXPECT_EQ(complaint("==ERROR== No permission\n"),
              "ncu.csv: holds no launches; make it with ncu --csv --page raw --metrics ... --log-file FILE");
    const std::string unreadable =
        header + "\n" + units + "\n" + R"row("0","7","k(int)","(1, 1, 1)","(1, 1, 1)","0","9.0","n/a")row" + "\n";
    EXPECT_EQ(complaint(unreadable), "ncu.csv:3: 'n/a' is not a count");
    const std::string no_shape = header + "\n" + R"row("0","7","k(int)","1","(1, 1, 1)","0","9.0","1")row" + "\n";
    EXPECT_EQ(complaint(no_shape), "ncu.csv:2: '1' is not a shape like (32, 8, 1)");
}

}  // namespace
}  // namespace lab::tools
