// The exact text that a student sees for a mutant, kept at the end of its sample: its form, and differences.
#pragma once

#include <string>
#include <vector>

namespace lab::mutants {

// A failure as GoogleTest writes it, less its own preamble.
[[nodiscard]] std::string as_students_see_it(const std::string& failure);

// Measured times and figures that follow from them, addresses, counts of races, and how many instructions a kernel executes (which its
// compiler decides) become "#".
[[nodiscard]] std::string without_chance(const std::string& text);

// The rows of each map of right and wrong in one line: "  ··×/··×/···".
[[nodiscard]] std::string with_short_maps(const std::string& text);

// Violation of a message's form: at most 25 lines; the first says what is wrong, then "  where: " lines, then evidence, then "  read: FILE,
// SECTION" last. "" if there is none.
[[nodiscard]] std::string misshapen(const std::string& message);

// The text with source lines instead of their numbers, which move with every comment: "lab3_x.cu:31" becomes
// "lab3_x.cu:[sum += a;]" and "line 31" becomes "line [sum += a;]"; long lines are cut short. "[__syncthreads(); #2]" is the second line
// of the file that looks so. `code`:
// the lines of the file `name`, as tools::code_lines returns them. "other_name.cu:31" is read as `other` has it, and shown as `name`.
struct SourceFile {
    std::string name;
    std::vector<std::string> code;
};
[[nodiscard]] std::string with_code_for_lines(const std::string& text, const SourceFile& file, const SourceFile& other);

// Lines in the form of `diff`, and advice. "" if both are the same.
[[nodiscard]] std::string difference(const std::string& expected, const std::string& text);

}  // namespace lab::mutants
