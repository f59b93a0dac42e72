// `lab docs` as a command on a small project, with stand-ins for Doxygen and for the program that makes reports.
#include "common/tools/docs/docs.h"

#include <gtest/gtest.h>

#include "common/tools/docs/site_pages.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class Docs : public ::testing::Test {
protected:
    Docs() {
        box_.write("README.md", "# Start\n\nRead the [handouts](handouts/README.md).\n");
        box_.write("handouts/README.md",
                   "# Handouts\n\n## Course plan\n\n| [Primer](primer.md) | [Lab 3](lab3_tiles.md) |\n\n## More pages\n\n| [Lab "
                   "3](lab3_tiles.md) |\n"
                   "| [Report](report.md) |\n");
        for (const char* const name : {"primer", "lab3_tiles", "report", "cmake"})
            box_.write(std::string("handouts/") + name + ".md", std::string("# About ") + name + "\n\nwords of " + name + "\n");
        box_.write("handouts/figures/a.svg", "<svg/>");
        box_.write("common/README.md", "# Map\n");
        box_.write("common/tools/docs/search.js", "our search\n");
        box_.write("tests/README.md", "# Tests\n");
        box_.write("tests/labs/lab3_hints.md", "# Hints\n");
        for (const char* const folder : {"labs", "solutions"}) box_.write(std::string(folder) + "/lab3_tiles/tiles.cu", "int tiles;\n");
        box_.program("bin/doxygen",
                     "[[ $1 == --version ]] && exit\ncat \"$LAB_DOCS/layout.xml\" > layout.xml; ls \"$LAB_DOCS/pages\" > pages.txt\n"
                     "mkdir \"$LAB_DOCS/site/search\"; cd \"$LAB_DOCS/site\"; touch index.html navtreedata.js handouts__primer_8md.html\n"
                     "printf \"var searchData=\\n[\\n  ['a_0',['a',['../a.html',1,'x']]],\\n  "
                     "['b_1',['b',['../b_8md.html',1,'']]]\\n];\\n\" > search/all_0.js");
        box_.program("build/bin/lab-study", "echo \"$*\" >> '" + (box_.folder() / "asked").string() + "'; echo report > \"${@: -1}\"");
    }
    [[nodiscard]] Ending docs(const std::vector<std::string>& words = {}, const std::string& path = "bin") const {
        std::vector<std::string> all{LAB_STUDY, "docs"};
        all.insert(all.end(), words.begin(), words.end());
        const std::string root = box_.folder().string();
        return run({all, root, {{"LAB_ROOT", root}, {"LAB_BUILD", root + "/build"}, {"PATH", root + "/" + path + ":/usr/bin:/bin"}}});
    }
    [[nodiscard]] Project project() const { return {box_.folder(), box_.folder() / "build", "emulator", box_.folder() / ".lab"}; }
    Sandbox box_;
};

TEST_F(Docs, BuildsTheSiteInTheBuildFolder) {
    const Ending ending = docs();
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(ending.output, "built in build/docs\nopen build/docs/index.html\n");
    EXPECT_EQ(box_.read("build/docs/handouts/figures/a.svg"), "<svg/>");
    EXPECT_EQ(box_.read("build/docs/examples/lab3.html"), "report\n");
    EXPECT_NE(box_.read("asked").find("report lab3 --solution --out "), std::string::npos) << box_.read("asked");
    EXPECT_EQ(
        box_.read("pages.txt"),
        "common.md\nexamples.md\nhandouts.md\nhandouts_cmake.md\nhandouts_lab3_tiles.md\nhandouts_primer.md\nhandouts_report.md\nindex.md\n"
        "labs_lab3_tiles_tiles.md\nsolutions_lab3_tiles_tiles.md\ntests.md\n");
    for (const auto& entry : fs::directory_iterator(box_.folder() / "build"))
        EXPECT_NE(entry.path().filename().string().rfind("docs-", 0), 0U);
}

TEST_F(Docs, ReplacesAnOlderSiteAndNothingElse) {
    ASSERT_EQ(docs({"--out", "site"}).status, 0);
    box_.write("site/old.html", "");
    EXPECT_EQ(docs({"--out", "site"}).status, 0);
    EXPECT_FALSE(fs::exists(box_.folder() / "site/old.html"));
    box_.write("work/mine.txt", "mine");
    const Ending ending = docs({"--out", "work"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: docs: --out work: has other files; name a new or an empty folder\n");
    EXPECT_EQ(box_.read("work/mine.txt"), "mine");
    EXPECT_EQ(docs({"--out", "README.md"}).output, "lab: docs: --out README.md: is no folder\n");
}

TEST_F(Docs, SaysThatDoxygenIsMissing) {
    box_.program("none/doxygen", "exit 127");
    const Ending ending = docs({}, "none");
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: docs: doxygen is not installed; ./lab --yes docs installs it\n");
}

TEST_F(Docs, ShowsDoxygensWarnings) {
    const std::string works = box_.read("bin/doxygen");
    box_.write("bin/doxygen", works + "\necho 'x.h:1: warning: no such thing'\n");
    const Ending ending = docs();
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(ending.output.rfind("doxygen warns:\nx.h:1: warning: no such thing\n", 0), 0U) << ending.output;
}

TEST_F(Docs, FailsWithTheReasonOfAFailedReportAndKeepsTheOlderSite) {
    ASSERT_EQ(docs().status, 0);
    box_.program("build/bin/lab-study", "echo 'it does not compile'; exit 2");
    const Ending ending = docs();
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: docs: the report of lab3 failed with status 2:\nit does not compile\n\n");
    EXPECT_TRUE(fs::exists(box_.folder() / "build/docs/index.html"));
}

TEST_F(Docs, GroupsThePagesAsTheHandoutsDo) {
    const SitePages pages = site_pages(project());
    const std::vector<std::pair<std::string, std::vector<std::string>>> groups{
        {"Course", {"handouts", "handouts_primer", "handouts_lab3_tiles"}},
        {"Reference", {"handouts_report", "handouts_cmake"}},
        {"The code", {"common", "tests"}},
        {"Labs and solutions", {"labs_lab3_tiles_tiles", "solutions_lab3_tiles_tiles"}}};
    ASSERT_EQ(pages.groups.size(), groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        EXPECT_EQ(pages.groups[i].title, groups[i].first);
        EXPECT_EQ(pages.groups[i].pages, groups[i].second) << groups[i].first;
    }
    EXPECT_EQ(pages.by_name.at("handouts_primer").title, "About primer");
    const std::string layout = site_layout(pages, {{"Lab 3 <tiles>", "examples/lab3.html"}});
    EXPECT_NE(layout.find(R"(<tab type="user" url="handouts_primer.html" title="About primer"/>)"), std::string::npos) << layout;
    EXPECT_NE(layout.find(R"(url="examples/lab3.html" title="Lab 3 &lt;tiles>")"), std::string::npos) << layout;
    EXPECT_LT(layout.find("title=\"Course\""), layout.find("title=\"Reference\""));
    EXPECT_LT(layout.find("title=\"API\""), layout.find("title=\"Examples\""));
}

TEST_F(Docs, PutsItsOwnSearchInPlaceOfDoxygens) {
    ASSERT_EQ(docs().status, 0);
    EXPECT_EQ(box_.read("build/docs/search/search.js"), "our search\n");
    EXPECT_FALSE(fs::exists(box_.folder() / "build/docs/search/all_0.js"));
    EXPECT_FALSE(fs::exists(box_.folder() / "build/docs/handouts__primer_8md.html")) << "says nothing that the page doesn't";
    const std::string index = box_.read("build/docs/search/index.js");
    EXPECT_EQ(index.rfind(R"(const sections = [["index.html","Start","Start","Read the handouts. "],["handouts.html","Handouts",)", 0), 0U)
        << index;
    EXPECT_NE(index.find(R"(["handouts.html#handouts_course-plan","Course plan","Handouts",)"), std::string::npos) << index;
    EXPECT_EQ(index.substr(index.find("const symbols")), "const symbols = [\n  ['a_0',['a',['../a.html',1,'x']]],\n];\n");
}

}  // namespace
}  // namespace lab::tools
