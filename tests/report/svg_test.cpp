#include "common/report/svg.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::report {
namespace {

bool has(const Drawing& drawing, const std::string& text) { return drawing.svg().find(text) != std::string::npos; }

TEST(Svg, LengthsHaveOneDigitAtMost) {
    EXPECT_EQ(number(12), "12");
    EXPECT_EQ(number(12.04), "12");
    EXPECT_EQ(number(12.25), "12.2");
    EXPECT_EQ(number(-0.01), "0");
    EXPECT_EQ(number(-3.5), "-3.5");
}

TEST(Svg, SaysWhatItShowsAndEscapesIt) {
    Drawing drawing("name", "a < b & c", "\"d\"");
    drawing.text({10, 10}, "x > y");
    EXPECT_TRUE(has(drawing, "<title id=\"name-title\">a &lt; b &amp; c</title>"));
    EXPECT_TRUE(has(drawing, "<desc id=\"name-desc\">&quot;d&quot;</desc>"));
    EXPECT_TRUE(has(drawing, ">x &gt; y</text>"));
}

TEST(Svg, AHatchIsDefinedOnceAndUsedWhereItIsAskedFor) {
    Drawing drawing("n", "", "");
    const Look look{.line = Role::first, .fill = Role::first, .hatch = Hatch::rising};
    drawing.rect({0, 0, 5, 5}, look);
    drawing.rect({9, 0, 5, 5}, look);
    const std::string svg = drawing.svg();
    const std::string definition = "<pattern id=\"n-rising-first\"";
    ASSERT_NE(svg.find(definition), std::string::npos);
    EXPECT_EQ(svg.find(definition), svg.rfind(definition));
    EXPECT_TRUE(has(drawing, "<rect x=\"9\" y=\"0\" width=\"5\" height=\"5\" fill=\"url(#n-rising-first)\"/>"));
}

TEST(Svg, EveryHatchHasAPatternInItsColour) {
    for (const Hatch hatch : {Hatch::rising, Hatch::falling, Hatch::crossed, Hatch::dotted}) {
        const std::string pattern = hatch_pattern(hatch, Role::third, "id");
        EXPECT_EQ(pattern.rfind("<pattern id=\"id\" ", 0), 0U) << word_of(hatch);
        const std::string drawn = hatch == Hatch::dotted ? "class=\"solid-third\"" : "class=\"line-third\"";
        EXPECT_NE(pattern.find(drawn), std::string::npos) << pattern;
    }
}

TEST(Svg, GroupsMoveWhatIsInThem) {
    Drawing drawing("n", "", "");
    drawing.group({100, 50}, [&] {
        drawing.group({10, 5}, [&] { drawing.text({1, 2}, "in", {.align = Align::start}); });
        drawing.rect({0, 0, 20, 30});
    });
    EXPECT_DOUBLE_EQ(drawing.texts().at(0).box.x, 111);
    EXPECT_DOUBLE_EQ(drawing.texts().at(0).box.centre().y, 57);
    EXPECT_DOUBLE_EQ(drawing.extent().right(), 100 + std::max(20.0, 11 + text_width("in", 14)));
    EXPECT_DOUBLE_EQ(drawing.extent().bottom(), 80);
    EXPECT_TRUE(has(drawing, "height=\"86\""));  // with a margin
}

TEST(Svg, AnArrowEndsAtItsPlace) {
    Drawing drawing("n", "", "");
    drawing.arrow({0, 10}, {50, 10}, {.line = Role::second});
    EXPECT_TRUE(has(drawing, "<polygon class=\"solid-second\" points=\"50,10 ")) << drawing.svg();
}

// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const std::string& colour) {
    double sum = 0;
    const double weights[] = {0.2126, 0.7152, 0.0722};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
        sum += weights[i] * (value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}
double contrast(const char* a, const char* b) {
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

TEST(Svg, TextIsReadableOnThePageAndOnEveryTint) {
    constexpr double readable = 4.5;
    for (const Scheme scheme : {Scheme::light, Scheme::dark}) {
        for (const Role role : {Role::ink, Role::muted, Role::first, Role::second, Role::third, Role::fourth}) {
            EXPECT_GE(contrast(colours_of(role, scheme).line, page_colour(scheme)), readable) << word_of(role);
            EXPECT_GE(contrast(colours_of(role, scheme).line, colours_of(role, scheme).tint), readable) << word_of(role);
            EXPECT_GE(contrast(colours_of(Role::ink, scheme).line, colours_of(role, scheme).tint), 7) << word_of(role);
        }
    }
}

}  // namespace
}  // namespace lab::report
