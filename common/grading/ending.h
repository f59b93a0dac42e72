// Text on how a signal ended a student's process.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/grading/topic.h"

namespace lab::grading {

struct Ending {
    std::string reason;                // "crashed with SIGSEGV in matmul_ijk: it touched 4 bytes past the end of N"
    std::vector<std::string> details;  // details, a line each
    std::set<Topic> topics;
    std::vector<Finding> findings;  // that explain it
};

// "during matmul_ijk"; without a function: before any was called.
[[nodiscard]] std::string during(const std::string& function);

// `crash`: the JSON of the runner's crash frame (runner/crash.h), or "".
[[nodiscard]] Ending ended_by(int signal, const std::string& function, const std::string& crash);

}  // namespace lab::grading
