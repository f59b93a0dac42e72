// Where a failed test sends its reader: sections of the handouts, which a test proves to be there.
#pragma once

#include <string>
#include <vector>

namespace lab::grading {

enum class Section { idea, task, failures, mistakes };

// "handouts/lab<n>_topic.md, Mistakes that many make"; "" for a lab without a handout.
[[nodiscard]] std::string reading(int lab, Section section);

struct Reading {
    std::string file;     // from the repository's root
    std::string section;  // as its heading says
};
// All that reading() can answer.
[[nodiscard]] std::vector<Reading> all_readings();

}  // namespace lab::grading
