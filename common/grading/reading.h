// Handout sections for the reader of a failed test; a test proves that they exist.
#pragma once

#include <string>
#include <vector>

namespace lab::grading {

enum class Section { idea, task, failures, mistakes };

// "handouts/lab<n>_topic.md, Mistakes that many make"; "" for a lab without a handout.
[[nodiscard]] std::string reading(int lab, Section section);

struct Reading {
    std::string file;     // from the repository's root
    std::string section;  // as in its heading
};
// All possible results of reading().
[[nodiscard]] std::vector<Reading> all_readings();

}  // namespace lab::grading
