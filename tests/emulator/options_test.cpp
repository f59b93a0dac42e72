// The emulator's options: texts become values and values texts, by one table.
#include "common/emulator/options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "common/runner/request.h"

namespace lab::emulator {
namespace {

std::string complaint(const char* name, const std::string& text) {
    Options options;
    try {
        option_row(name).set(options, text);
    } catch (const BadOption& problem) {
        return problem.what();
    }
    return {};
}

TEST(EmulatorOptions, TextsAreReadBack) {
    const std::pair<const char*, const char*> texts[] = {
        {"device", "gtx280"}, {"threads", "3"},          {"check", "races,api"},     {"order", "reversed"}, {"cold", "1"},
        {"sample", "100"},    {"max-instructions", "9"}, {"blocks", "scale<4>=8x4"}, {"lines", "1"},        {"traffic", "0"},
        {"record", "1"}};
    ASSERT_EQ(std::size(texts), option_rows().size()) << "every option";
    for (const auto& [name, text] : texts) {
        const OptionRow& row = option_row(name);
        Options options;
        EXPECT_TRUE(row.is_default(options)) << name;
        row.set(options, text);
        EXPECT_EQ(row.text(options), text);
        EXPECT_FALSE(row.is_default(options)) << name;
        for (const OptionRow& other : option_rows())
            EXPECT_EQ(other.is_default(options), other.name != row.name) << name << ", " << other.name;
        row.set(options, "");
        EXPECT_TRUE(row.is_default(options)) << name;
    }
}

TEST(EmulatorOptions, AreSpelledByTheirNames) {
    EXPECT_EQ(option_row("max-instructions").flag(), "--max-instructions");
    EXPECT_EQ(option_row("max-instructions").environment(), "LAB_MAX_INSTRUCTIONS");
    EXPECT_THROW((void)option_row("no-such"), std::out_of_range);
    std::set<std::string> names;
    for (const OptionRow& row : option_rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(EmulatorOptions, ChecksAreChosenByName) {
    Options options;
    option_row("check").set(options, "races,init");
    EXPECT_TRUE(options.checks.races && options.checks.initialisation && options.checks.is_chosen);
    EXPECT_FALSE(options.checks.lockstep || options.checks.bounds || options.checks.barriers || options.checks.api || options.checks.host);
    option_row("check").set(options, "all");
    EXPECT_EQ(options.checks, Checks::all());
    option_row("check").set(options, "none");
    EXPECT_EQ(options.checks, Checks::none());
    option_row("check").set(options, "");
    Checks usual = Checks::all();
    usual.lockstep = true;
    usual.is_chosen = false;
    EXPECT_EQ(options.checks, usual) << "what is looked for without a choice";
}

TEST(EmulatorOptions, SayWhatAValueHasToBe) {
    EXPECT_EQ(complaint("threads", "0"), "");
    EXPECT_EQ(complaint("threads", ""), "") << "the default";
    EXPECT_EQ(complaint("sample", "0"), "give a whole number from 1 up");
    for (const char* const text : {"-1", "1.5", "x", "5000000000", " 1"})
        EXPECT_EQ(complaint("threads", text), "give a whole number from 0 up") << text;
    EXPECT_EQ(complaint("max-instructions", "99999999999999999999"), "give a whole number from 0 up");
    EXPECT_EQ(complaint("order", "sideways"), "the orders are forward and reversed");
    EXPECT_EQ(complaint("cold", "yes"), "give 1 or 0");
    EXPECT_EQ(complaint("check", "races,luck"),
              "there is no check 'luck'; there is races, init, barriers, bounds, api, host, all and none");
    for (const char* const text : {"transpose", "=8x8", "transpose=0x8", "transpose=8x8x8"})
        EXPECT_EQ(complaint("blocks", text), "give a kernel and a block, as in transpose=32x8") << text;
}

TEST(EmulatorOptions, TravelWithARequest) {
    runner::Request request;
    request.backend.order = Order::reversed;
    request.backend.max_blocks = 7;
    request.backend.samples_traffic = false;
    request.backend.fail_copy = 2;
    const auto back = nlohmann::json::parse(nlohmann::json(request).dump()).get<runner::Request>();
    for (const OptionRow& row : option_rows()) EXPECT_EQ(row.text(back.backend), row.text(request.backend)) << row.name;
    EXPECT_EQ(back.backend.fail_copy, 2U);
}

}  // namespace
}  // namespace lab::emulator
