// `lab fidelity` from the outside, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/sandbox.h"

namespace lab::tools {

class FidelityCommand : public ::testing::Test {
protected:
    [[nodiscard]] Ending lab(const std::vector<std::string>& words) const {
        Command command{
            {LAB_TOOL, "fidelity"}, box_.folder().string(), {{"PATH", "/usr/bin:/bin"}, {"LAB_STATE", (box_.folder() / "state").string()}}};
        command.words.insert(command.words.end(), words.begin(), words.end());
        return run(command);
    }
    Sandbox box_;
};

}  // namespace lab::tools
