// A test that tries several shapes goes on after the first that fails, so that it can say where the mistake shows and where not.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/grading/message.h"

namespace lab::grading {

class Shapes {
public:
    // One shape, in as few words as tell it from the others ("W=33 in blocks of 16x16"), and its verdict. After a hang the
    // shapes that follow aren't tried: each would take as long. With --gtest_fail_fast none is tried after a failure.
    void attempt(const std::string& shape, const std::function<Message()>& verdict);
    // The failure that says most, the first of several, with a line about the other shapes. Empty if none failed.
    [[nodiscard]] Message message() const;
    // Fails the running test with it, if there is one.
    void judge() const;

private:
    Message first_;  // of the attempts that failed, what says most
    std::string first_shape_;
    std::vector<std::string> also_, right_, untried_;
    bool hung_ = false;
};

}  // namespace lab::grading
