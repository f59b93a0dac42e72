// Verdicts as a terminal shows them, and as Markdown for GitHub's job summary ($GITHUB_STEP_SUMMARY), a comment, a wiki.
#pragma once

#include <string>
#include <vector>

#include "common/tools/score.h"
#include "common/tools/terminal.h"

namespace lab::tools {

// The table of labs and groups, at most 80 characters wide, and what could not be judged.
[[nodiscard]] std::string table(const std::vector<LabScore>& labs);

// Points, then each failed test with its messages and the lines of source that they are about. Without `everything` a few tests, and the
// first and last lines of what the student's code printed; with it all of that, for each test. Messages are folded to the terminal's width;
// what a compiler or a student's program printed stays as it is.
[[nodiscard]] std::string explain(const LabScore& lab, bool everything, const Terminal& terminal = {});

// The lines of source that a failure of a test, by its number, is about, with marks; "" where it names none in the graded file.
[[nodiscard]] std::string excerpt_text(const LabScore& lab, const TestScore& test, std::size_t number, std::size_t indent,
                                       const Terminal& terminal);
// The same for the first place that a text names, such as a compiler's error.
[[nodiscard]] std::string excerpt_text(const LabScore& lab, const std::string& text, std::size_t indent, const Terminal& terminal);

// One failure of a test, by its number: its message with the lines of source. At most `max_lines` lines of the message.
[[nodiscard]] std::string failure_text(const LabScore& lab, const TestScore& test, std::size_t number, std::size_t max_lines,
                                       const Terminal& terminal);

// A table of labs with points and tests, then one of the tests without points, with the first line of each failure. Text of students and
// compilers is escaped, so that it can't form Markdown or HTML.
[[nodiscard]] std::string markdown_summary(const std::vector<LabScore>& labs);

}  // namespace lab::tools
