// Use of an array in shared memory, from a launch's record.
#include "common/diagnosis/causes/shared_use.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/trace/json.h"

namespace lab::diagnosis {
namespace {

using Json = nlohmann::json;

// Accesses 0 and 1 store and load words of two arrays, in two intervals of the second recorded block and none of the first one.
trace::Launch recorded_launch() {
    const Json none = Json::array();
    const Json first = {{5, {{0, 3, 2, 2}}, none, nullptr, nullptr},
                        {6, none, {{1, 1, 1, 1}}, nullptr, nullptr},
                        {9, {{0, 8, 1, 1}}, none, nullptr, nullptr}};
    const Json second = {{6, {{0, 4, 1, 1}}, none, nullptr, nullptr}};
    const Json objects = {{{"name", "before"}, {"space", "shared"}, {"begin", 0}, {"bytes", 20}, {"used", none}},
                          {{"name", "tile"}, {"space", "shared"}, {"begin", 20}, {"bytes", 16}, {"used", {{0, 8}}}}};
    return trace::launch_from(
        {{"block", {4, 4, 1}},
         {"recording",
          {{"blocks", {0, 7}},
           {"objects", objects},
           {"accesses", {{{"object", 1}, {"bytes", 8}}, {{"object", 1}, {"bytes", 16}}, {{"object", nullptr}, {"bytes", 4}}}},
           {"intervals",
            {{{"block", 0}, {"interval", 0}, {"words", none}, {"is_cut", false}},
             {{"block", 1}, {"interval", 0}, {"words", first}, {"is_cut", false}},
             {{"block", 1}, {"interval", 1}, {"words", second}, {"is_cut", false}}}}}}});
}

TEST(SharedUse, TellsWhoStoresAndWhatIsLoaded) {
    const auto use = shared_use(recorded_launch(), "tile");
    ASSERT_TRUE(use);
    EXPECT_EQ(use->threads, (std::set<std::int64_t>{3, 4, 5}));
    EXPECT_EQ(use->words, (std::vector<SharedUse::Words>{{}, {0, 1}}));
    EXPECT_EQ(use->words_begun, (std::vector<SharedUse::Words>{{}, {0}}));  // of the first block one interval was recorded
    EXPECT_EQ(use->loaded, SharedUse::Words{1});
    EXPECT_EQ(use->loaded_then, SharedUse::Words{1});
    EXPECT_EQ(use->all_words, 4);
    EXPECT_EQ(use->element_words, 2);
    EXPECT_EQ(use->stored_then, SharedUse::Words{0});  // not what the second one stores
    EXPECT_EQ(use->used, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 2}}));
}

TEST(SharedUse, KnowsNothingOfWhatWasNotRecorded) {
    EXPECT_FALSE(shared_use(recorded_launch(), "other"));
    EXPECT_FALSE(shared_use({}, "tile"));
    trace::Launch launch = recorded_launch();
    auto cut = std::make_shared<trace::Recording>(*launch.recording);
    cut->intervals.at(1).is_cut = true;
    launch.recording = std::move(cut);
    EXPECT_FALSE(shared_use(launch, "tile"));
}

}  // namespace
}  // namespace lab::diagnosis
