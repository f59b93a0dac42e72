// CUDA C++ source as text: comments, functions, and code that only the device pass sees. It is no parser: it reads files that compile.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lab::tools {

// The text with all comments replaced by blanks, so that offsets and line numbers stay the same. Literals are unchanged.
[[nodiscard]] std::string without_comments(const std::string& source);

// The code of each line: no comments, whitespace collapsed to single blanks and trimmed.
[[nodiscard]] std::vector<std::string> code_lines(const std::string& source);

// A function, or a struct, class or union. Overloads and members are separate entries; a struct precedes its members.
struct Definition {
    std::string name;
    std::size_t first_line = 0, last_line = 0;  // from 0; with `template <...>`, up to the line of the closing brace
    std::size_t body_begin = 0, body_end = 0;   // offsets of the braces
    bool is_device_code = false;                // a body that the host never runs: __global__, or __device__ without __host__
};

// The definitions with a body, in the order in which they begin.
[[nodiscard]] std::vector<Definition> definitions_in(const std::string& source);

// Whether two sources differ only in comments, whitespace and the bodies of __global__ and __device__ functions. The host pass then gives
// the same result for both.
[[nodiscard]] bool same_host_code(const std::string& one, const std::string& other);

}  // namespace lab::tools
