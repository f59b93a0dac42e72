// The page of `lab report` has the colours of the figures: each role's line and tint, light and dark.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "common/report/svg.h"

namespace lab::report {
namespace {

std::string page_style() {
    std::ifstream file(LAB_SOURCE_FOLDER "/common/report/page/page.css");
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PageColours, AreThoseOfTheFiguresInBothSchemes) {
    const std::string style = page_style();
    const std::size_t dark_at = style.find("prefers-color-scheme: dark");
    ASSERT_NE(dark_at, std::string::npos);
    for (const Scheme scheme : {Scheme::light, Scheme::dark}) {
        const std::string rules = scheme == Scheme::light ? style.substr(0, dark_at) : style.substr(dark_at);
        EXPECT_NE(rules.find(fmt::format("--page: {};", page_colour(scheme))), std::string::npos);
        for (std::size_t at = 0; at < role_count; ++at) {
            const auto role = static_cast<Role>(at);
            const auto [line, tint] = colours_of(role, scheme);
            const std::string wanted = fmt::format("--{0}: {1}; --{0}-tint: {2};", word_of(role), line, tint);
            EXPECT_NE(rules.find(wanted), std::string::npos) << wanted;
        }
    }
}

}  // namespace
}  // namespace lab::report
