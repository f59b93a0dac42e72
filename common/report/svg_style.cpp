#include "common/report/svg_style.h"

#include <fmt/format.h>

#include <array>

namespace lab::report {
namespace {

struct RoleColours {
    const char* word;
    Colours light, dark;
};
constexpr std::array<RoleColours, role_count> palette{{
    {"ink", {"#1f2328", "#ffffff"}, {"#e6edf3", "#0d1117"}},
    {"muted", {"#59636e", "#eaeef2"}, {"#9ea7b3", "#262c36"}},
    {"faint", {"#c4ccd4", "#f6f8fa"}, {"#444c56", "#161b22"}},
    {"first", {"#0a5cb8", "#cfe4fb"}, {"#79b8ff", "#1b3f66"}},
    {"second", {"#a34700", "#ffdcb8"}, {"#ffab5e", "#5c3205"}},
    {"third", {"#00695a", "#bfeadd"}, {"#4fd0b4", "#0c4a3f"}},
    {"fourth", {"#85246f", "#f3d2ea"}, {"#f29ddb", "#571f4a"}},
}};

std::string rules(Scheme scheme) {
    std::string css;
    for (std::size_t role = 0; role < role_count; ++role) {
        const Colours colours = colours_of(static_cast<Role>(role), scheme);
        css += fmt::format(".line-{0}{{stroke:{1}}}.solid-{0}{{fill:{1}}}.tint-{0}{{fill:{2}}}\n", palette[role].word, colours.line,
                           colours.tint);
    }
    return css + fmt::format("text{{fill:{}}}\n", colours_of(Role::ink, scheme).line);
}

}  // namespace

Colours colours_of(Role role, Scheme scheme) {
    const RoleColours& colours = palette[static_cast<std::size_t>(role)];
    return scheme == Scheme::light ? colours.light : colours.dark;
}

const char* page_colour(Scheme scheme) { return scheme == Scheme::light ? "#ffffff" : "#0d1117"; }

const char* word_of(Role role) { return palette[static_cast<std::size_t>(role)].word; }

const char* word_of(Hatch hatch) {
    constexpr std::array<const char*, 5> words{"none", "rising", "falling", "crossed", "dotted"};
    return words[static_cast<std::size_t>(hatch)];
}

std::string style_sheet() {
    // CSS rules override attributes, so properties that elements set themselves, like font sizes, are not in the rules.
    return fmt::format("<style>\n{}@media (prefers-color-scheme:dark){{\n{}}}\n</style>\n", rules(Scheme::light), rules(Scheme::dark));
}

std::string hatch_pattern(Hatch hatch, Role role, const std::string& id) {
    const std::string stroke = fmt::format("<path class=\"line-{}\" d=\"", word_of(role));
    std::string inside;
    switch (hatch) {
        case Hatch::none:
            break;
        case Hatch::rising:
            inside = stroke + "M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/>";
            break;
        case Hatch::falling:
            inside = stroke + "M-1 -1L7 7M5 -1L7 1M-1 5L1 7\"/>";
            break;
        case Hatch::crossed:
            inside = stroke + "M-1 7L7 -1M-1 -1L7 7\"/>";
            break;
        case Hatch::dotted:
            inside = fmt::format("<circle class=\"solid-{}\" cx=\"3\" cy=\"3\" r=\"1\"/>", word_of(role));
            break;
    }
    return fmt::format("<pattern id=\"{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">{}</pattern>\n", id, inside);
}

}  // namespace lab::report
