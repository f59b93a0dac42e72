// Findings in words: for a terminal here, for a student's message in common/grading/finding_message.h, which takes its lines from here.
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

// The first line: a race's has the lines of the program, too.
[[nodiscard]] std::string headline_of(const Finding& finding);
// "at k.cu:3 in kernel k(float*)", "in kernel k(float*), block (0,0,0)"; "" for what is not a kernel's.
[[nodiscard]] std::string kernel_line_of(const Finding& finding);
// The lines below: who did what where, the memory, numbers, advice.
[[nodiscard]] std::vector<std::string> evidence_of(const Finding& finding);
// All of these, indented below the headline; for a call of the API "file.cu:12: " before it, where that is known.
[[nodiscard]] std::string to_text(const Finding& finding);
// The same without the place of the call.
[[nodiscard]] std::string text_without_place(const Finding& finding);

// Whether the accesses of a race, all on one line of the program, are writes.
[[nodiscard]] bool is_written_twice(const Finding& race);

}  // namespace lab
