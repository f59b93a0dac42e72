// Tiles of blocks that store nothing, by their loads.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/grading/block_map.h"
#include "common/trace/json.h"

namespace lab::grading {
namespace {

using Json = nlohmann::json;

// A launch of three blocks that were all recorded; those with `stores` of 0 store nothing. Runs of elements that block 2 loads of each
// array.
trace::Launch launch_with(const Json& stores, const Json& of_A, const Json& of_B) {
    const auto touched = [](std::size_t object, const Json& runs) {
        Json in_bytes = Json::array();
        for (const Json& run : runs) in_bytes.push_back({4 * run.at(0).get<int>(), 4 * (run.at(0).get<int>() + run.at(1).get<int>())});
        return Json{{"block", 2}, {"object", object}, {"kind", "load"}, {"runs", in_bytes}};
    };
    return trace::launch_from({{"recording",
                                {{"blocks", {0, 1, 2}},
                                 {"objects", {{{"name", "A"}}, {{"name", "B"}}}},
                                 {"first_stores", stores},
                                 {"touched", {touched(0, of_A), touched(1, of_B)}}}}});
}

// C = A B of 4 x 12 in tiles of 4 x 4, whose columns 8 to 11 were not written.
bool of_columns(const trace::Launch& launch) {
    const Expected product = expect_product(std::vector<float>(20, 1), std::vector<float>(60, 1), 4, 5, 12, {"A", "B"});
    return silent_blocks_lie_outside(launch, product, {false, 8});
}

TEST(SilentBlocks, TellAGuardFromAMapThatLeadsOut) {
    const Json none = Json::array();
    const Json rows = {{0, 20}};
    EXPECT_FALSE(of_columns(launch_with({16, 32, 0}, rows, {{8, 4}, {20, 4}})));
    EXPECT_TRUE(of_columns(launch_with({16, 32, 0}, none, {{0, 4}, {12, 4}})));
    // A guard of the loads as well; a column beyond the output; no loads; no silent block.
    EXPECT_FALSE(of_columns(launch_with({16, 32, 0}, rows, none)));
    EXPECT_FALSE(of_columns(launch_with({16, 32, 0}, rows, {{0, 4}})));
    EXPECT_FALSE(of_columns(launch_with({16, 32, 0}, none, none)));
    EXPECT_FALSE(of_columns(launch_with({16, 32, 48}, rows, {{8, 4}})));
    EXPECT_FALSE(of_columns({}));
}

TEST(SilentBlocks, KnowRowsOfAProductAndNoneOfATranspose) {
    const Expected product = expect_product(std::vector<float>(60, 1), std::vector<float>(20, 1), 12, 5, 4, {"A", "B"});
    const auto of_rows = [&](const Json& of_A, const Json& of_B) {
        return silent_blocks_lie_outside(launch_with({16, 32, 0}, of_A, of_B), product, {true, 8});
    };
    EXPECT_FALSE(of_rows({{40, 5}}, {{0, 20}}));
    EXPECT_TRUE(of_rows({{0, 5}}, Json::array()));
    // The place where a transpose stores may be another one.
    Expected transpose = expect_transpose(std::vector<float>(48), 12, 4);
    transpose.source = std::make_shared<const Source>(Source{"A", std::vector<double>(48)});
    const trace::Launch launch = launch_with({16, 32, 0}, {{32, 4}}, Json::array());  // row 8 of `in`
    EXPECT_FALSE(silent_blocks_lie_outside(launch, transpose, {false, 8}));
}

}  // namespace
}  // namespace lab::grading
