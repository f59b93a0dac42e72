// Markdown of the project's files in the form that Doxygen reads.
#include <gtest/gtest.h>

#include "common/tools/docs/site_pages.h"

namespace lab::tools {
namespace {

// Pages of a primer, a lab, a folder's README and a lab's file.
SitePages some_pages() {
    SitePages pages;
    for (const char* const file :
         {"README.md", "handouts/primer.md", "handouts/lab3_tiles.md", "common/README.md", "labs/lab3_tiles/tiles.cu"})
        pages.by_name[page_name(file)] = {file, file, {}};
    return pages;
}

// A paragraph below the title of the primer, rewritten.
std::string paragraph(const std::string& markdown) {
    const std::string text = for_site(some_pages(), "handouts/primer.md", "# Primer\n\n" + markdown + "\n").markdown;
    const std::string before = "# Primer {#handouts_primer}\n\n[TOC]\n\n";
    EXPECT_EQ(text.rfind(before, 0), 0U) << text;
    return text.substr(before.size(), text.size() - before.size() - 1);
}

TEST(SiteMarkdown, NamesPagesByTheirPath) {
    EXPECT_EQ(page_name("README.md"), "index");
    EXPECT_EQ(page_name("handouts/README.md"), "handouts");
    EXPECT_EQ(page_name("common/emulator/timing/NOTES.md"), "common_emulator_timing_notes");
    EXPECT_EQ(page_name(".github/CHANGELOG.md"), "github_changelog");
    EXPECT_EQ(page_name("labs/lab3_tiles/tiles.cu"), "labs_lab3_tiles_tiles");
}

// GitHub's anchors, as the project's links have them.
TEST(SiteMarkdown, GivesHeadingsTheirAnchorsOnGitHub) {
    EXPECT_EQ(heading_anchor("9. Barriers and shared memory"), "9-barriers-and-shared-memory");
    EXPECT_EQ(heading_anchor("Latency, and how `warps` hide it"), "latency-and-how-warps-hide-it");
    EXPECT_EQ(paragraph("## 1. A first program\n\n### On paper\n\n### On paper"),
              "## 1. A first program {#handouts_primer_1-a-first-program}\n\n### On paper {#handouts_primer_on-paper}\n\n"
              "### On paper {#handouts_primer_on-paper-1}");
    EXPECT_EQ(for_site(some_pages(), "README.md", "# Start\n").markdown, "# Start {#mainpage}\n\n[TOC]\n");
}

TEST(SiteMarkdown, LeadsLinksToPagesOfTheSite) {
    EXPECT_EQ(paragraph("[lab 3](lab3_tiles.md), [the\nmap](../common/README.md)"),
              "[lab 3](handouts_lab3_tiles.html), [the map](common.html)");
    EXPECT_EQ(paragraph("[results](lab3_tiles.md#results-on-a-gpu)"),
              "[results](handouts_lab3_tiles.html#handouts_lab3_tiles_results-on-a-gpu)");
    EXPECT_EQ(paragraph("[here](#on-paper)"), "[here](handouts_primer.html#handouts_primer_on-paper)");
    EXPECT_EQ(paragraph("[elsewhere](https://example.org/a.md#b)"), "[elsewhere](https://example.org/a.md#b)");
    EXPECT_EQ(paragraph("[`tiles`](../labs/lab3_tiles/tiles.cu)"), "[``tiles``](labs_lab3_tiles_tiles.html)");
}

TEST(SiteMarkdown, SaysWhereAFileIsThatIsNoPage) {
    EXPECT_EQ(paragraph("its [settings](../CMakeLists.txt)"), "its settings (``CMakeLists.txt``)");
    EXPECT_EQ(paragraph("its [CMakeLists.txt](../CMakeLists.txt)"), "its ``CMakeLists.txt``");
}

TEST(SiteMarkdown, LinksThePathOfAPage) {
    EXPECT_EQ(paragraph("edit `labs/lab3_tiles/tiles.cu`, `handouts/primer.md` and `labs/x.cu`"),
              "edit [``labs/lab3_tiles/tiles.cu``](labs_lab3_tiles_tiles.html), ``handouts/primer.md`` and ``labs/x.cu``");
}

TEST(SiteMarkdown, LeavesCodeAlone) {
    EXPECT_EQ(paragraph("each `file:line`"), "each <code>file</code>``:line``");
    EXPECT_EQ(paragraph("`a[i](x.md)` and ``b`c`` and [i] of a[n]"), "``a[i](x.md)`` and ``b`c`` and [i] of a[n]");
    EXPECT_EQ(paragraph("```sh\n# no heading\n[a](b.md)\n```"), "```{.unparsed}\n# no heading\n[a](b.md)\n```");
}

TEST(SiteMarkdown, ShowsPicturesWithTheirText) {
    EXPECT_EQ(paragraph("![Two \"tiles\" & a\nblock](figures/tiles.svg)"),
              R"(<img src="handouts/figures/tiles.svg" alt="Two &quot;tiles&quot; &amp; a block"/>)");
}

TEST(SiteMarkdown, KeepsTheWordsOfEachSection) {
    const auto sections = for_site(some_pages(), "handouts/primer.md",
                                   "# The `primer`\n\nSee [lab 3](lab3_tiles.md).\n\n## Tiles\n\n| a | b |\n\n```cpp\nint x;\n```\n")
                              .sections;
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(sections[0].title, "The primer");
    EXPECT_EQ(sections[0].anchor, "");
    EXPECT_EQ(sections[0].text, "See lab 3. ");
    EXPECT_EQ(sections[1].title, "Tiles");
    EXPECT_EQ(sections[1].anchor, "handouts_primer_tiles");
    EXPECT_EQ(sections[1].text, "a b int x; ");
}

}  // namespace
}  // namespace lab::tools
