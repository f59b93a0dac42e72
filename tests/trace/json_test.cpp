// The JSON form of traces.
#include "common/trace/json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace lab::trace {
namespace {

using Json = nlohmann::json;

Recording small_recording() {
    Recording recording;
    recording.blocks = {0, 7};
    recording.objects = {{"tile", Space::shared, 16, 64, {{0, 8}}}};
    Recording::Request request;
    request.warp = 2;
    request.address = 4096;
    request.lanes[1] = -4;
    Recording::Access access;
    access.where = {"a.cu", 3, 9};
    access.kind = AccessKind::atomic;
    access.object = 0;
    access.kept = {request};
    recording.accesses = {access, {}};
    Recording::Word word;
    word.word = 5;
    word.writes = {{0, 3, 2, 4}};
    word.before = Recording::Write{1, 2, 3};
    word.value = 42;
    Recording::Interval interval;
    interval.words = {word};
    interval.is_cut = true;
    recording.intervals = {interval};
    Finding race;
    race.kind = FindingKind::race;
    race.headline = "race";
    recording.races = {race};
    return recording;
}

TEST(TraceJson, NamesFieldsAndWritesShortStructsAsLists) {
    const Json json = small_recording();
    EXPECT_EQ(json.at("objects").at(0), (Json{{"name", "tile"}, {"space", "shared"}, {"begin", 16}, {"bytes", 64}, {"used", {{0, 8}}}}));
    EXPECT_EQ(json.at("accesses").at(0).at("kind"), "atomic");
    EXPECT_EQ(json.at("accesses").at(1).at("object"), nullptr);
    EXPECT_EQ(json.at("accesses").at(0).at("kept").at(0).at("lanes").at(0), nullptr);
    EXPECT_EQ(json.at("accesses").at(0).at("kept").at(0).at("lanes").at(1), -4);
    EXPECT_EQ(json.at("intervals").at(0).at("words"), (Json{{5, {{0, 3, 2, 4}}, Json::array(), {1, 2, 3}, 42}}));
    EXPECT_EQ(json.at("races").at(0).at("kind"), "race");
}

TEST(TraceJson, IsReadBackAsItWasWritten) {
    const Json json = small_recording();
    const Launch launch = launch_from({{"grid", {3, 2, 1}}, {"recording", json}});
    EXPECT_EQ(launch.grid.x, 3U);
    EXPECT_EQ(launch.block.x, 1U) << "what is missing keeps its value";
    ASSERT_TRUE(launch.recording);
    EXPECT_EQ(Json(*launch.recording), json);
    const Recording::Object* const tile = launch.object("tile", Space::shared);
    ASSERT_NE(tile, nullptr);
    EXPECT_EQ(tile->used, (std::vector<ByteRun>{{0, 8}}));
    EXPECT_EQ(launch.object("tile", Space::global), nullptr);
    EXPECT_EQ(launch.name_of(launch.recording->accesses.at(0)), "tile");
    EXPECT_EQ(launch.name_of(launch.recording->accesses.at(1)), "");
}

TEST(TraceJson, RefusesOtherForms) {
    const auto read_access = [](const Json& access) { return launch_from({{"recording", {{"accesses", Json::array({access})}}}}); };
    EXPECT_NO_THROW((void)read_access({{"kind", "load"}}));
    EXPECT_THROW((void)read_access({{"kind", "move"}}), BadForm);
    EXPECT_THROW((void)read_access({{"kind", 1}}), BadForm);
    EXPECT_THROW((void)read_access({{"bytes", "4"}}), BadForm);
    EXPECT_THROW((void)launch_from({{"grid", {1, 2}}}), BadForm) << "too short a list";
}

// What the page says of a launch: all fields of one that has each, but for those that the page leaves to other pages and to headers.
TEST(TraceJson, OfALaunchIsDescribedInTheHandout) {
    std::ifstream file(LAB_PROJECT_FOLDER "/handouts/findings.md");
    const std::string handout{std::istreambuf_iterator<char>(file), {}};
    Launch launch;
    launch.is_estimate = launch.has_fault = true;
    launch.where = {"a.cu", 3, 0, 0};
    launch.lines.resize(1);
    launch.partitions.waves = 1;
    launch.model.sample.blocks = 1;
    launch.recording = std::make_shared<Recording>();
    const Json json = launch;
    std::set<std::string> names;
    const auto add_keys = [&](const Json& object) {
        for (const auto& item : object.items()) names.insert(item.key());
    };
    add_keys(json);
    for (const char* const part : {"occupancy", "model", "partitions", "where"}) add_keys(json.at(part));
    add_keys(json.at("partitions").at("load"));
    for (const CounterRow& row : counter_rows()) names.erase(std::string(row.group.empty() ? row.name : row.group));
    EXPECT_EQ(names.count("bound"), 1U);
    for (const std::string& name : names) EXPECT_NE(handout.find("`" + name + "`"), std::string::npos) << name;
}

}  // namespace
}  // namespace lab::trace
