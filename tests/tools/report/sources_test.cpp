// The source files of a report: which are shown, by which names, and no folders of this machine.
#include "common/tools/report/sources.h"

#include <gtest/gtest.h>

#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

class Sources : public ::testing::Test {
protected:
    Sources() {
        box_.write("labs/lab3/x.cu", "one\ntwo\r\nthree\n");
        box_.write("labs/lab3/x.h", "header\n");
        box_.write("common/secret.h", "ours\n");
    }
    [[nodiscard]] std::string path(const std::string& name) const { return (box_.folder() / name).string(); }
    Sandbox box_;
};

TEST_F(Sources, AreThoseOfTheStudentsFolder) {
    ReportSources sources(box_.folder(), path("labs/lab3/x.cu"));
    EXPECT_EQ(sources.place(path("labs/lab3/x.cu"), 2, 5), Json({{"source", 0}, {"line", 2}, {"column", 5}}));
    EXPECT_EQ(sources.place(path("labs/lab3/x.h"), 1, 0), Json({{"source", 1}, {"line", 1}, {"column", 0}}));
    EXPECT_EQ(sources.place(path("common/secret.h"), 1, 0), Json({{"source", nullptr}, {"line", 1}, {"column", 0}}));
    EXPECT_EQ(sources.place(SourceLine{"x.cu", 3, 1}), Json({{"source", 0}, {"line", 3}, {"column", 1}}));
    EXPECT_TRUE(sources.place(path("labs/lab3/x.cu"), 0, 0).is_null());
    EXPECT_EQ(sources.to_json(),
              Json({{{"file", "labs/lab3/x.cu"}, {"lines", {"one", "two", "three"}}}, {{"file", "labs/lab3/x.h"}, {"lines", {"header"}}}}));
}

TEST_F(Sources, AreNamedInMessages) {
    ReportSources sources(box_.folder(), path("labs/lab3/x.cu"));
    const std::vector<Json> places = sources.places_in("race at x.cu:2:7 and x.cu:3\n  where: x.cu:2, secret.h:1, y.cu:9, x.cu:no");
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[0], Json({{"source", 0}, {"line", 2}, {"column", 7}}));
    EXPECT_EQ(places[1], Json({{"source", 0}, {"line", 3}, {"column", 0}}));
}

TEST_F(Sources, TellNoFolders) {
    const ReportSources own(box_.folder(), path("labs/lab3/x.cu"));
    EXPECT_EQ(own.without_folders(path("labs/lab3/x.cu") + ":2: error, " + path("labs/lab3/x.h")),
              "labs/lab3/x.cu:2: error, labs/lab3/x.h");
    const ReportSources elsewhere("/nowhere", path("labs/lab3/x.cu"));
    EXPECT_EQ(elsewhere.without_folders("in " + path("labs/lab3/x.cu")), "in x.cu");
    EXPECT_EQ(elsewhere.to_json()[0].at("file"), "x.cu");
}

}  // namespace
}  // namespace lab::tools
