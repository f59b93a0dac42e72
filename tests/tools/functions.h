// Functions of a C++ or CUDA source and their lengths, found by their braces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lab::tools {

struct FoundFunction {
    std::size_t line = 0;   // its first, from 1
    std::size_t lines = 0;  // to its closing brace; functions in it count with it
    std::string head;       // the text of its first line
};
[[nodiscard]] std::vector<FoundFunction> functions_in(const std::string& source);

}  // namespace lab::tools
