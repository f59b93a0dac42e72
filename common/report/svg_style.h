// The palette of all drawings and their patterns, as CSS and SVG.
#pragma once

#include <string>

#include "common/report/svg.h"

namespace lab::report {

struct Colours {
    const char* line;  // of lines, text and heads of arrows
    const char* tint;  // of areas that ink is written on
};
enum class Scheme : std::uint8_t { light, dark };

[[nodiscard]] Colours colours_of(Role role, Scheme scheme);
// Background colour of each scheme.
[[nodiscard]] const char* page_colour(Scheme scheme);

// "first", "rising": names for classes and ids.
[[nodiscard]] const char* word_of(Role role);
[[nodiscard]] const char* word_of(Hatch hatch);

// The <style> element: light, and dark if the reader's system prefers it.
[[nodiscard]] std::string style_sheet();
// A <pattern> element.
[[nodiscard]] std::string hatch_pattern(Hatch hatch, Role role, const std::string& id);

}  // namespace lab::report
