// Functions of a source text and their lengths, found by their braces.
#pragma once

#include <string>
#include <vector>

namespace lab::tools {

// "12: int f() {": line and first words of each function of more than `limit` lines, from its first line to its closing brace. Functions in
// functions count with them.
[[nodiscard]] std::vector<std::string> long_functions(const std::string& source, int limit);

}  // namespace lab::tools
