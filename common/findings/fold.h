// Text that fits a terminal's width.
#pragma once

#include <cstddef>
#include <string>

namespace lab {

// Characters of a line in a pipe, in a file, and on a terminal whose width is unknown.
inline constexpr std::size_t usual_width = 80;

// Characters that a terminal shows of `text`: UTF-8 counts by character, escape sequences of colours not at all.
[[nodiscard]] std::size_t shown_length(const std::string& text);

// Breaks each line that is longer than `width` at spaces. What follows stands below the line's own text, or below its last column where
// that begins in the left half. A word longer than a line stays whole.
[[nodiscard]] std::string folded(const std::string& text, std::size_t width);

}  // namespace lab
