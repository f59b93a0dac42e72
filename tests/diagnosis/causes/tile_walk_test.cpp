// First lines that follow from how threads walk over a tile, by recorded accesses.

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "common/diagnosis/causes/own_element.h"
#include "common/trace/json.h"

namespace lab::diagnosis {
namespace {

using Json = nlohmann::json;

constexpr int lanes_of_warp = 32;

// Word of a tile that thread (x, y) accesses in an iteration; -1: none.
using Word = std::function<int(int x, int y, int iteration)>;

// A launch in blocks of x x y threads, whose first and last warp were recorded in block 0.
trace::Launch walk_launch(int x, int y, int iterations, const Word& word, const char* kind = "store", int dynamic_bytes = 0) {
    Json kept = Json::array();
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (const int at : {0, 1, x * y / lanes_of_warp - 1}) {
            Json lanes = Json::array();
            for (int lane = 0; lane < lanes_of_warp; ++lane) {
                const int thread = at * lanes_of_warp + lane;
                const int there = word(thread % x, thread / x, iteration);
                lanes.push_back(there < 0 ? Json() : Json(4 * there));
            }
            kept.push_back({{"block", 0}, {"warp", at}, {"address", 16}, {"lanes", lanes}});
        }
    }
    return trace::launch_from({{"block", {x, y, 1}},
                               {"dynamic_shared_bytes", dynamic_bytes},
                               {"recording",
                                {{"objects", {{{"name", "tile"}}}},
                                 {"accesses", {{{"space", "shared"}, {"kind", kind}, {"bytes", 4}, {"object", 0}, {"kept", kept}}}}}}});
}

Message symptom(Topic kind) {
    Message message("symptom");
    message.kind = kind;
    return message;
}

std::string walk_line(const trace::Launch& launch, Topic kind = Topic::uninitialised_read, const Tiling& tiling = {1, true}) {
    return explained_by_walk(symptom(kind), launch, tiling).what;
}

TEST(TileWalk, NamesRowsThatNoThreadStores) {
    const auto rows = [](int iterations) {
        return walk_launch(32, 8, iterations, [](int x, int y, int i) { return (y + 8 * i) * 33 + x; });
    };
    EXPECT_EQ(walk_line(rows(1)),
              "threads store rows 0 to 7 of tile only, rows 8 to 31 are never written: does the loop down the tile go on in steps of 8?");
    EXPECT_EQ(walk_line(rows(2)),
              "threads store rows 0 to 15 of tile only, rows 16 to 31 are never written: does the loop down the tile end too early?");
    // At an edge, where the matrix may have no more rows; and of what was read.
    EXPECT_EQ(walk_line(rows(2), Topic::uninitialised_read, {1, false}), "symptom");
    EXPECT_EQ(walk_line(walk_launch(
                  32, 8, 2, [](int x, int y, int i) { return (y + 8 * i) * 33 + x; }, "load")),
              "symptom");
    // As many accesses as a recording keeps: there may have been more.
    EXPECT_EQ(walk_line(walk_launch(32, 2, 8, [](int x, int y, int i) { return (y + 2 * i) * 33 + x; })), "symptom");
}

TEST(TileWalk, ComparesTheBytesOfALaunchWithTheTile) {
    const auto bytes = [](int x, int y, int asked) {
        return walk_line(walk_launch(
                             x, y, 1, [&](int column, int row, int) { return row * (2 * x + 1) + column; }, "store", asked),
                         Topic::out_of_bounds, {2, true});
    };
    EXPECT_EQ(bytes(16, 16, 528),
              "16 rows of tile that begin 33 words apart take 2112 bytes, the launch asks for 528 of shared memory: are these elements "
              "instead of bytes?");
    EXPECT_EQ(
        bytes(32, 8, 8192),
        "32 rows of tile that begin 65 words apart take 8320 bytes, the launch asks for 8192 of shared memory: is the padding of each "
        "row included?");
    EXPECT_EQ(
        bytes(32, 8, 8000),
        "32 rows of tile that begin 65 words apart take 8320 bytes, the launch asks for 8000 of shared memory: how many rows and words "
        "a row does it count?");
    EXPECT_EQ(bytes(32, 8, 8320), "symptom");
}

TEST(TileWalk, KeepsTheSymptomAsEvidence) {
    const Message told = explained_by_walk(symptom(Topic::uninitialised_read),
                                           walk_launch(32, 8, 1, [](int x, int y, int) { return y * 33 + x; }), {1, true});
    ASSERT_EQ(told.evidence.size(), 1U);
    EXPECT_EQ(told.evidence[0].text, "what follows from it: symptom");
    EXPECT_EQ(told.kind, Topic::uninitialised_read);
    EXPECT_EQ(told.proof, Proof::index);
    EXPECT_EQ(explained_by_walk(symptom(Topic::race), {}, {}).what, "symptom");
}

}  // namespace
}  // namespace lab::diagnosis
