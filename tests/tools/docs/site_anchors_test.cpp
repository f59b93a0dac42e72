// Repair of addresses whose anchors don't exist.
#include <gtest/gtest.h>

#include "common/tools/docs/docs.h"

namespace lab::tools {
namespace {

TEST(SiteAnchors, LeadToThePageThatHasThem) {
    const SiteFiles files{
        {"a.html", R"(<p id="x"></p><a href="b.html#y">y</a><a href="#x">x</a><a href="#y">y</a><a href="#gone">none</a>)"},
        {"b.html", R"(<p id="y"></p><a href="a.html#y">y</a> "a.html#y" <i title="a.html#y"></i>)"},
        {"tree.js", R"([ "y", "a.html#y", null ], [ "x", "a.html#x", null ], [ "none", "b.html#gone" ], "#y", "c/a.html#y")"}};
    const SiteFiles expected{
        {"a.html", R"(<p id="x"></p><a href="b.html#y">y</a><a href="#x">x</a><a href="b.html#y">y</a><a href="a.html">none</a>)"},
        {"b.html", R"(<p id="y"></p><a href="b.html#y">y</a> "a.html#y" <i title="a.html#y"></i>)"},
        {"tree.js", R"([ "y", "b.html#y", null ], [ "x", "a.html#x", null ], [ "none", "b.html" ], "#y", "c/a.html#y")"}};
    EXPECT_EQ(with_repaired_anchors(files), expected);
    EXPECT_EQ(with_repaired_anchors(expected), SiteFiles{});
}

}  // namespace
}  // namespace lab::tools
