// Attempts at several shapes. A test continues after the first failure, so that it can tell which shapes fail and which don't.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/diagnosis/message.h"

namespace lab::grading {

using namespace diagnosis;  // suites speak of both

class Shapes {
public:
    // Attempts one shape, named as briefly as possible ("W=33 in blocks of 16x16"). After a hang no further shapes are attempted: each
    // would take as long. With --gtest_fail_fast none is attempted after a failure.
    // `is_square`: whether all its matrices are square; nothing where that makes no difference, as for single rows.
    void attempt(const std::string& shape, const std::function<Message()>& verdict, std::optional<bool> is_square = {});
    // The most informative failure, the first of several, with a line about the other shapes. Empty if none failed. Its first line is one
    // that fits at every shape. One whose cause is open, or another side, says so if square matrices are right and all others wrong.
    [[nodiscard]] Message message() const;
    // Fails the running test with it, if there is one.
    void judge() const;

private:
    Message first_;  // the most informative of the failed attempts
    std::string first_shape_;
    std::vector<std::string> also_, right_, untried_;
    std::vector<std::vector<Explanation>> explanations_;  // a list for each failed attempt with several
    // Attempts with square matrices and with others, right ones and wrong ones.
    struct Counts {
        int right = 0, wrong = 0;
    };
    Counts square_, other_;
    bool hung_ = false;
};

}  // namespace lab::grading
