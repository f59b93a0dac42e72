// Elements of shared memory that are read, and stored after a later barrier.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/diagnosis/causes/shared_use.h"
#include "common/trace/json.h"

namespace lab::diagnosis {
namespace {

using Json = nlohmann::json;

const Json threads = {{0, 3, 1, 1}};
const Json none = Json::array();

Json interval(int block, const Json& word) { return {{"block", block}, {"words", {word}}, {"is_cut", false}}; }

// The record of an array of words 5 and 6.
trace::Launch launch_with(const std::vector<Json>& intervals) {
    return trace::launch_from(
        {{"recording", {{"objects", {{{"name", "tile"}, {"space", "shared"}, {"begin", 20}, {"bytes", 8}}}}, {"intervals", intervals}}}});
}

TEST(EarlyRead, IsFollowedByAStoreOfTheSameBlock) {
    const Json read = interval(0, {5, none, threads, nullptr, nullptr});
    const Json store = interval(0, {5, threads, none, nullptr, nullptr});
    EXPECT_TRUE(is_read_before_stored(launch_with({read, store}), "tile"));
    EXPECT_FALSE(is_read_before_stored(launch_with({read, store}), "other"));
    EXPECT_FALSE(is_read_before_stored(launch_with({store, read}), "tile"));
    EXPECT_FALSE(is_read_before_stored(launch_with({read}), "tile"));
    EXPECT_FALSE(is_read_before_stored(launch_with({read, interval(1, {5, threads, none, nullptr, nullptr})}), "tile"));
    EXPECT_FALSE(is_read_before_stored(launch_with({read, interval(0, {6, threads, none, nullptr, nullptr})}), "tile"));
    EXPECT_FALSE(is_read_before_stored({}, "tile"));
}

TEST(EarlyRead, IsNoneWhereTheElementWasStoredBefore) {
    const Json read = interval(0, {5, none, threads, {0, 3, 0}, nullptr});
    EXPECT_FALSE(is_read_before_stored(launch_with({read, interval(0, {5, threads, none, {0, 3, 0}, nullptr})}), "tile"));
    const Json both = interval(0, {5, threads, threads, nullptr, nullptr});  // a race, if anything
    EXPECT_FALSE(is_read_before_stored(launch_with({both, both}), "tile"));
}

TEST(EarlyRead, IsLookedForInTheArrayOnly) {
    const Json read = interval(0, {7, none, threads, nullptr, nullptr});
    EXPECT_FALSE(is_read_before_stored(launch_with({read, interval(0, {7, threads, none, nullptr, nullptr})}), "tile"));
}

}  // namespace
}  // namespace lab::diagnosis
