// The program's own lines under a finding, each with a mark below the place that it is about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/findings/finding.h"

namespace lab {

// A source file as it was compiled.
struct SourceText {
    std::string file;  // without its folder, as SourceLine has it
    std::vector<std::string> lines;
};

// The text of `path`; no lines if it can't be read.
[[nodiscard]] SourceText read_source(const std::string& path);

// "write by thread (0,1,0)", "divergent barrier": what a mark says.
[[nodiscard]] std::string mark_of(const Finding& finding, const Place& place);

// For each place of the finding that lies in `source`, in the order of lines:
//   29 |     N_tile[ty][tx] = N[row * W + col];
//      |                    ^ write by thread (0,0,0)
// The caret stands at the place's column; without one the whole statement is marked. No line is longer than `width`. Empty where no place
// lies in `source`.
[[nodiscard]] std::vector<std::string> excerpt_of(const Finding& finding, const SourceText& source, std::size_t width);
// The same for a line alone, without words at its mark.
[[nodiscard]] std::vector<std::string> excerpt_of(const SourceLine& place, const SourceText& source, std::size_t width);

}  // namespace lab
