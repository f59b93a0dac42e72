// The table of counters in the handouts says what the rows say. LAB_UPDATE_GOLDEN=1 writes it.
#include "common/tools/counters.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "common/tools/safe_files.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

TEST(CounterTable, HandoutSaysWhatTheRowsSay) {
    const std::filesystem::path path = std::filesystem::path(LAB_SOURCE_FOLDER) / "handouts/counters.md";
    const std::string text = read_whole(path);
    const std::string mark = "<!-- counters -->\n";
    const std::size_t begin = text.find(mark);
    const std::size_t end = text.find("<!-- end -->", begin);
    ASSERT_NE(begin, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    const std::string wanted = text.substr(0, begin + mark.size()) + "\n" + counter_table() + "\n" + text.substr(end);
    if (std::getenv("LAB_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << wanted;
    EXPECT_TRUE(text == wanted) << "LAB_UPDATE_GOLDEN=1 ctest --test-dir build/tests -R CounterTable writes the table anew";
}

TEST(CounterTable, NamesAreUniqueAndRowsSum) {
    std::set<std::pair<std::string_view, std::string_view>> names;
    trace::Counters counters;
    counters.global_load.sectors = 3;
    counters.slowest.dependent_q6 = 5;
    counters.branches = 7;
    counters += trace::Counters(counters);
    for (const trace::CounterRow& row : trace::counter_rows()) {
        EXPECT_TRUE(names.insert({row.group, row.name}).second) << row.group << "." << row.name;
        EXPECT_FALSE(row.description.empty()) << row.name;
    }
    EXPECT_EQ(trace::counter_row("global_load", "sectors").stored(counters), 6U);
    EXPECT_EQ(trace::counter_row("slowest_warps", "dependent_instructions").stored(counters), 10U);
    EXPECT_EQ(trace::counter_row("branches", "total").stored(counters), 14U);
    EXPECT_THROW((void)trace::counter_row("global_load", "passes"), std::out_of_range);
}

}  // namespace
}  // namespace lab::tools
