// Lines of a text, and suggestions for a misspelled name.
#pragma once

#include <string>
#include <vector>

namespace lab::tools {

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);
[[nodiscard]] std::string first_line(const std::string& text);

// The last message of a `lab` command in its output, with all its lines and without "lab: "; the last line if there is no message.
[[nodiscard]] std::string last_message(const std::string& output);

// Without blanks at its end.
[[nodiscard]] std::string trimmed(const std::string& text);

// The last `count` bytes at most.
[[nodiscard]] std::string tail(const std::string& text, std::size_t count);

// The three of `names` that are nearest to `name` by edit distance (Levenshtein's), nearest first; fewer if there are fewer.
[[nodiscard]] std::vector<std::string> nearest(std::vector<std::string> names, const std::string& name);

}  // namespace lab::tools
