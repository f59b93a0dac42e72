// Runs the tool from the outside, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/tools/sandbox.h"

namespace lab::tools {

class LabCommand : public ::testing::Test {
protected:
    [[nodiscard]] Ending lab(const std::vector<std::string>& words) const {
        Command command{{LAB_TOOL}, box_.folder().string(), environment()};
        command.words.insert(command.words.end(), words.begin(), words.end());
        return run(command);
    }
    // The folder's own programs come first.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment() const {
        return {{"PATH", (box_.folder() / "bin").string() + ":/usr/bin:/bin"}, {"LAB_STATE", (box_.folder() / "state").string()}};
    }
    Sandbox box_;
};

}  // namespace lab::tools
