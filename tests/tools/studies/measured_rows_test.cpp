// What tests/measured holds of real GPUs beside what is modelled for them: `lab fidelity --rows`.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/tools/studies/fidelity_command.h"

namespace lab::tools {
namespace {

class MeasuredRows : public FidelityCommand {
protected:
    // Of tests/measured/`gpu`.jsonl.
    nlohmann::json rows(const std::string& gpu, const std::string& size, const std::string& blocks) {
        const std::string file = std::string(LAB_SOURCE_FOLDER) + "/tests/measured/" + gpu + ".jsonl";
        const Ending ending = lab({"--rows", file, "--size", size, "--sample", blocks, "--json", "out.json"});
        EXPECT_EQ(ending.status, 0) << ending.output;
        return nlohmann::json::parse(box_.read("out.json"));
    }
};

TEST_F(MeasuredRows, OfAnH200AreNearTheModelWhereNothingWasFitted) {
    const nlohmann::json json = rows("h200", "4096", "16");  // handouts/time_model.md has all of them, and its commands are run
    EXPECT_GE(json.at("predicted").at("rows"), 600);
    EXPECT_LE(json.at("predicted").at("mean_absolute_error"), 0.15);
    for (const nlohmann::json& row : json.at("rows")) EXPECT_LE(std::abs(row.at("error").get<double>()), 0.5) << row;
    EXPECT_LE(json.at("order").at("exchanged").get<double>(), 0.03 * json.at("order").at("pairs").get<double>());
}

TEST_F(MeasuredRows, OfAnH200AreCountedAlike) {
    const nlohmann::json counters = rows("h200", "512", "0").at("counters");
    EXPECT_GE(counters.at("rows"), 200);
    EXPECT_EQ(counters.at("equal"), counters.at("rows"));
}

TEST_F(MeasuredRows, OfKernelsThatNoLabHasAreNearTheModelToo) {
    const nlohmann::json json = rows("h200_other_kernels", "8192", "64");
    EXPECT_GE(json.at("rows").size(), 118U);
    EXPECT_LE(json.at("all").at("mean_absolute_error"), 0.2);
    EXPECT_EQ(json.at("beyond_half"), 0);
    EXPECT_LE(json.at("order").at("exchanged").get<double>(), 0.05 * json.at("order").at("pairs").get<double>());
}

TEST_F(MeasuredRows, OfAnH100AreNearTheModelMadeForAnH200) {
    const nlohmann::json json = rows("h100", "2048", "16");
    EXPECT_GE(json.at("predicted").at("rows"), 600);
    EXPECT_LE(json.at("predicted").at("mean_absolute_error"), 0.15);
    for (const nlohmann::json& row : json.at("rows")) EXPECT_LE(std::abs(row.at("error").get<double>()), 0.5) << row;
    EXPECT_LE(json.at("order").at("exchanged").get<double>(), 0.03 * json.at("order").at("pairs").get<double>());
}

}  // namespace
}  // namespace lab::tools
