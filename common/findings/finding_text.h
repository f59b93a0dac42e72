// Text of findings, for a terminal and for a student's message (common/diagnosis/finding_message.cpp uses these lines).
#pragma once

#include <string>
#include <vector>

#include "common/findings/finding.h"

namespace lab {

// "file.cu:12"; "" if unknown.
[[nodiscard]] std::string to_text(const SourceLine& source);
// "(1,0,0)"
[[nodiscard]] std::string to_text(const Index& index);
// "12 bytes past the end of a 4096-byte allocation made at vec.cu:31", "host memory (the stack), which the device can't reach".
[[nodiscard]] std::string to_text(const Location& location);

// The first line; for a race it includes the source lines.
[[nodiscard]] std::string headline_of(const Finding& finding);
// "at k.cu:3 in kernel k(float*)", "in kernel k(float*), block (0,0,0)"; "" for findings outside kernels.
[[nodiscard]] std::string kernel_line_of(const Finding& finding);
// The lines below: accesses, memory, numbers, advice.
[[nodiscard]] std::vector<std::string> evidence_of(const Finding& finding);
// The whole text, indented below the headline; for a call of the API preceded by "file.cu:12: ", if known.
[[nodiscard]] std::string to_text(const Finding& finding);
// The same without the call's source line.
[[nodiscard]] std::string text_without_place(const Finding& finding);

// Whether the accesses of a race, all on one line of the program, are writes.
[[nodiscard]] bool is_written_twice(const Finding& race);

}  // namespace lab
