// Positions of a plot's points.
#include <gtest/gtest.h>

#include "common/tools/lines.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

// The area within the axes: the text right of '
// '.
std::vector<std::string> area_of(const std::string& text) {
    std::vector<std::string> area;
    for (const std::string& line : lines_of(text)) {
        if (const std::size_t bar = line.find(" |"); bar != std::string::npos) area.push_back(line.substr(bar + 2));
    }
    return area;
}

TEST(TextPlot, PutsCornersIntoCorners) {
    const Axis x{"x", false, 0, 10, nullptr};
    const Axis y{"y", false, 0, 4, nullptr};
    const auto area = area_of(plot({{"", '*', {{0, 0}, {10, 4}, {5, 2}}}}, x, y));
    ASSERT_GE(area.size(), 3U);
    EXPECT_EQ(area.back(), "*");
    EXPECT_EQ(area.front().find('*'), area.front().size() - 1);
    const std::string& middle = area[area.size() / 2];
    EXPECT_EQ(middle.find('*') * 2, area.front().find('*'));
}

TEST(TextPlot, SpreadsPowersEvenlyOnALogarithmicAxis) {
    const Axis x{"x", true, 1, 10000, nullptr};
    const Axis y{"y", false, 0, 1, nullptr};
    const auto area = area_of(plot({{"", '*', {{1, 0}, {100, 0}, {10000, 0}}}}, x, y));
    const std::string& row = area.back();
    EXPECT_EQ(row.find('*', 1) * 2, row.rfind('*'));
}

TEST(TextPlot, LeavesOutWhatLiesBeyondTheAxes) {
    const Axis x{"x", false, 0, 10, nullptr};
    const Axis y{"y", false, 0, 1, nullptr};
    for (const std::string& row : area_of(plot({{"", '*', {{-1, 0.5}, {11, 0.5}, {5, 1.1}, {5, -0.1}}}}, x, y))) EXPECT_EQ(row, "");
}

TEST(TextPlot, ShowsTheLaterSeriesWhereTwoMeetAndNamesBoth) {
    const Axis x{"bytes", false, 0, 10, nullptr};
    const Axis y{"GB/s", false, 0, 1, [](double value) { return value == 1 ? "the top" : "below"; }};
    const std::string text = plot({{"first", 'a', {{0, 0}}}, {"second", 'b', {{0, 0}}}}, x, y);
    EXPECT_EQ(area_of(text).back(), "b");
    for (const char* part : {"a  first", "b  second", "bytes", "GB/s", "the top |"}) EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace lab::tools
