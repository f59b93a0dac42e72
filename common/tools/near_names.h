// Suggestions for a misspelled name.
#pragma once

#include <string>
#include <vector>

namespace lab::tools {

// The three of `names` that are nearest to `name` by edit distance (Levenshtein's), nearest first; fewer if there are fewer.
[[nodiscard]] std::vector<std::string> nearest(std::vector<std::string> names, const std::string& name);

}  // namespace lab::tools
