// `lab fidelity`: results from a table's rows, and the whole command in the emulator, against the claimed accuracy.
#include "tests/model/fidelity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "common/tools/safe_files.h"
#include "tests/tools/studies/fidelity_command.h"

namespace lab::tools {
namespace {

FidelityTable table_of(const std::vector<FidelityRow>& rows) {
    FidelityTable table;
    table.rows = rows;
    return table;
}

TEST(FidelityTable, ErrorsOfFittedAndPredictedRowsAreKeptApart) {
    const FidelityTable table = table_of({{"a", 100, true, 101}, {"b", 50, false, 40}, {"c", 20, false, 21}, {"d", 10, false, {}}});
    const Fidelity fidelity = fidelity_of(table);
    EXPECT_NEAR(*fidelity.fitted, 0.01, 1e-12);
    EXPECT_NEAR(*fidelity.predicted, (0.2 + 0.05) / 2, 1e-12);
    EXPECT_NEAR(*fidelity.all, (0.01 + 0.2 + 0.05) / 3, 1e-12);
    EXPECT_EQ(fidelity.worst->kernel, "b");
    EXPECT_EQ(fidelity.pairs, 3U) << "d was not modelled";
    EXPECT_TRUE(fidelity.exchanged.empty());
    EXPECT_FALSE(fidelity_of(table_of({{"a", 1, true, 1}})).predicted);
}

TEST(FidelityTable, OrderCountsWherePublishedFiguresDifferByMoreThanATenth) {
    const Fidelity fidelity =
        fidelity_of(table_of({{"a", 100, false, 80}, {"b", 95, false, 90}, {"c", 85, false, 80}, {"d", 50, false, 85}}));
    EXPECT_EQ(fidelity.pairs, 5U) << "all but a and b";
    EXPECT_EQ(fidelity.exchanged, (std::vector<std::pair<std::string, std::string>>{{"a", "c"}, {"a", "d"}, {"c", "d"}}))
        << "as equal is not above";
}

TEST(FidelityTable, FiguresAreRatesOrTimes) {
    FidelityTable table;
    EXPECT_EQ(table.figure(2.5), 2.5);
    EXPECT_STREQ(table.unit(), "ms");
    table.moved_bytes = 1e9;
    EXPECT_DOUBLE_EQ(table.figure(2), 500);
    EXPECT_STREQ(table.unit(), "GB/s");
}

TEST_F(FidelityCommand, ReachesWhatTheModelMust) {
    const Ending ending = lab({"--json", "out.json"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const auto tables = nlohmann::json::parse(box_.read("out.json")).at("tables");
    std::map<std::string, std::map<std::string, double>> modelled;  // by device, kernel
    double sum = 0;
    int rows = 0;
    for (const auto& table : tables) {
        SCOPED_TRACE(table.at("device").get<std::string>() + ", " + table.at("what").get<std::string>());
        const bool is_transposes = table.at("rows").size() == 8;
        EXPECT_EQ(table.at("order").at("exchanged"), nlohmann::json::array()) << "the order of kernels that differ by more than 10 %";
        for (const auto& row : table.at("rows")) {
            const double error = std::abs(row.at("error").get<double>());
            EXPECT_LE(error, is_transposes ? 0.35 : 0.15) << row;
            if (is_transposes) sum += error;
            rows += is_transposes ? 1 : 0;
            modelled[table.at("device")][row.at("kernel")] = row.at("modelled");
        }
    }
    ASSERT_EQ(rows, 24);
    EXPECT_LE(sum / rows, 0.10);
    const auto gain = [&](const char* device) { return modelled.at(device).at("diagonal") / modelled.at(device).at("conflict-free"); };
    EXPECT_NEAR(gain("gtx280"), 69.5 / 16.6, 0.15 * 69.5 / 16.6);
    EXPECT_LT(gain("m2090"), 1);
    EXPECT_NEAR(modelled.at("c2075").at("global") / modelled.at("c2075").at("shared"), 52.46 / 24.34, 0.1 * 52.46 / 24.34);
    EXPECT_NE(ending.output.find("(fitted)"), std::string::npos) << ending.output;
}

TEST(FidelityPictures, SayTheirNumbersInTheHandoutsWords) {
    const std::string text = read_whole(LAB_SOURCE_FOLDER "/handouts/time_model.md");
    const std::regex picture(R"(!\[([^\]]*)Fitted: ([^\]]*)\. Predicted: ([^\]]*)\.\]\((figures/fidelity/\w+\.svg)\))");
    std::size_t pictures = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), picture), end; at != end; ++at, ++pictures) {
        const std::string svg = read_whole(std::string(LAB_SOURCE_FOLDER "/handouts/") + (*at)[4].str());
        EXPECT_NE(svg.find(">fitted: " + (*at)[2].str() + "<"), std::string::npos) << (*at)[4];
        EXPECT_NE(svg.find(">predicted: " + (*at)[3].str() + "<"), std::string::npos) << (*at)[4];
    }
    EXPECT_EQ(pictures, 2U);
}

TEST_F(FidelityCommand, DrawsWhatTheJsonSays) {
    const Ending ending = lab({"--device", "gtx280", "--json", "out.json", "--svg", "out.svg"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const auto errors = nlohmann::json::parse(box_.read("out.json")).at("tables").at(0).at("mean_absolute_error");
    const std::string svg = box_.read("out.svg");
    const auto percent = [](const nlohmann::json& share) { return fmt::format("mean error {:.1f} %", 100 * share.get<double>()); };
    EXPECT_NE(svg.find("fitted: 3 rows, " + percent(errors.at("fitted"))), std::string::npos) << svg;
    EXPECT_NE(svg.find("predicted: 5 rows, " + percent(errors.at("predicted"))), std::string::npos) << svg;
}

TEST_F(FidelityCommand, SaysInOneLineWhichDevicesItKnows) {
    const Ending none = lab({"--device", "v100"});
    EXPECT_EQ(none.status, 2);
    EXPECT_EQ(none.output, "lab: --device v100: no published table is about it; there are tables about gtx280, m2090, k20x, c2075\n");
    EXPECT_EQ(lab({"--device", "gtx1"}).status, 2);
}

}  // namespace
}  // namespace lab::tools
