// Each registered cause is shown by a sample, and a sample shows none that is unknown.
#include "common/diagnosis/causes/list.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace lab::diagnosis {
namespace {

// Causes that suites name themselves: `tests/labs`.
const std::set<std::string> of_suites{"axes_exchanged",   "bands_of_constant_memory", "block_of_launch",
                                      "blocks_of_launch", "bytes_of_launch",          "constant_vector",
                                      "grid_of_columns",  "kernel_of_launch",         "refusal"};

// Causes by the samples' expected messages, which end with "  cause: NAME".
std::set<std::string> shown_by_samples() {
    const std::string start = "  cause: ";
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(LAB_PROJECT_FOLDER "/tests/mutants")) {
        std::ifstream sample(entry.path());
        for (std::string line; entry.path().extension() == ".diff" && std::getline(sample, line);) {
            if (line.rfind(start, 0) == 0) names.insert(line.substr(start.size()));
        }
    }
    return names;
}

TEST(ListOfCauses, EachIsShownByASample) {
    const std::set<std::string> shown = shown_by_samples();
    EXPECT_GT(shown.size(), 40U);
    for (const std::string& name : names_of_causes())
        EXPECT_TRUE(shown.count(name) != 0) << name << ": no sample in tests/mutants shows it";
    for (const std::string& name : shown) {
        EXPECT_TRUE(names_of_causes().count(name) != 0 || of_suites.count(name) != 0)
            << name << ": common/diagnosis/causes/list.h lacks it";
    }
}

TEST(ListOfCauses, TheFirstOneThatProposesIsNamed) {
    const auto none = [](const int&) { return Cause{}; };
    const auto one = [](const int& seen) { return Cause{std::to_string(seen)}; };
    const std::array<Rule<int>, 3> rules{{{"none", none}, {"one", one}, {"other", one}}};
    EXPECT_EQ(first_cause(rules, 7).text, "7");
    EXPECT_EQ(first_cause(rules, 7).name, "one");
    EXPECT_TRUE(first_cause(std::array<Rule<int>, 1>{{{"none", none}}}, 7).empty());
}

}  // namespace
}  // namespace lab::diagnosis
