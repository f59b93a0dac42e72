// Error for bad user input: one line, exit status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace lab::tools {

class BadInput : public std::runtime_error {
public:
    explicit BadInput(const std::string& line) : std::runtime_error(line) {}
};

constexpr int exit_full_marks = 0;
constexpr int exit_marks_lost = 1;
constexpr int exit_bad_input = 2;
constexpr int exit_undecided = 3;  // the grader could not judge all tests: the points are incomplete
constexpr int exit_interrupted = 130;

}  // namespace lab::tools
