// Distances between the elements of neighbouring threads, and what they say of an index.

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "common/grading/recorded_accesses.h"
#include "common/trace/json.h"

namespace lab::grading {
namespace {

using Json = nlohmann::json;
using enum trace::AccessKind;
using IndexOf = std::function<std::int64_t(std::int64_t x, std::int64_t y)>;

// The record of a block of 16 x 4 whose threads store to elements of out.
trace::Launch launch_of(const IndexOf& index, std::int64_t warps = 2) {
    Json kept = Json::array();
    for (std::int64_t warp = 0; warp < warps; ++warp) {
        Json lanes = Json::array();
        for (std::int64_t lane = 0; lane < 32; ++lane) {
            const std::int64_t thread = warp * 32 + lane;
            lanes.push_back(4 * index(thread % 16, thread / 16));
        }
        kept.push_back({{"block", 0}, {"warp", warp}, {"address", 4096}, {"lanes", lanes}});
    }
    const Json access = {{"space", "global"}, {"kind", "store"}, {"bytes", 4}, {"object", 0}, {"kept", kept}};
    return trace::launch_from({{"block", {16, 4, 1}}, {"recording", {{"accesses", {access}}, {"objects", {{{"name", "out"}}}}}}});
}

TEST(AccessAxes, FindsTheDistancesAlongXAndY) {
    EXPECT_EQ(distances(launch_of([](auto x, auto y) { return y * 50 + x; }), "out", store), (Distances{1, 50}));
    EXPECT_EQ(distances(launch_of([](auto x, auto y) { return x * 50 + y; }), "out", store), (Distances{50, 1}));
    EXPECT_EQ(distances(launch_of([](auto x, auto y) { return x * x + y; }), "out", store), std::nullopt);
    EXPECT_EQ(distances(launch_of([](auto x, auto y) { return y * 50 + x; }), "in", store), std::nullopt);
    EXPECT_EQ(distances(launch_of([](auto x, auto y) { return y * 50 + x; }), "out", load), std::nullopt);
    EXPECT_EQ(distances({}, "out", store), std::nullopt);
}

TEST(AccessAxes, AsksWhetherXAndYAreExchanged) {
    const AccessedMatrix by_column{"out", 48, false};
    const AccessedMatrix by_row{"out", 48, true};
    EXPECT_EQ(wrong_distances({48, 1}, by_column, store),
              "; neighbouring threads store elements of out that lie 48 apart along x and 1 along y: does x choose the row instead of the "
              "column, or are row and column exchanged in the index?");
    EXPECT_EQ(
        wrong_distances({1, 48}, by_row, load),
        "; neighbouring threads load elements of out that lie 1 apart along x and 48 along y: does x choose the column instead of the "
        "row, or are row and column exchanged in the index?");
    EXPECT_EQ(wrong_distances({1, 48}, by_column, store), "");
    EXPECT_EQ(wrong_distances({48, 1}, by_row, store), "");
    EXPECT_FALSE(exchanges_axes({1, 1}, {"out", 1, false}));  // a single column
}

TEST(AccessAxes, AsksForTheLengthOfARow) {
    EXPECT_EQ(
        wrong_distances({1, 64}, {"out", 48, false}, store),
        "; threads that are neighbours along y store elements of out that lie 64 apart, but a row has 48: what is the row multiplied by "
        "in the index?");
    EXPECT_EQ(
        wrong_distances({64, 1}, {"in", 48, true}, load),
        "; threads that are neighbours along x load elements of in that lie 64 apart, but a row has 48: what is the row multiplied by "
        "in the index?");
    EXPECT_EQ(wrong_distances({2, 64}, {"out", 48, false}, store), "");
}

}  // namespace
}  // namespace lab::grading
