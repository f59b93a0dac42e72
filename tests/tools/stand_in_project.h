// A project of stand-ins for tests of `lab-tool` from the outside: a Ninja that builds nothing, suites that write given reports.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/sandbox.h"

namespace lab::tools {

class StandInProject : public ::testing::Test {
protected:
    // Labs 1 and 3; all their tests pass.
    StandInProject();

    // Tests in the form of GoogleTest's reports.
    static nlohmann::json passed(const std::string& name, int points);
    // `why`: the first line, then lines "  where: ..." and evidence; `topics`: names of grading::LAB_TOPICS.
    static nlohmann::json failed(const std::string& name, int points, const std::string& why, const std::vector<std::string>& topics = {});
    // Sets the next reports of the suite of "lab1" or "lab3". It records its arguments in "lab3.asked" and copies the program under
    // judgement to "lab3.judged".
    void suite(const std::string& lab, const std::vector<nlohmann::json>& tests);

    // `lab-tool` with these words, in the box's folder.
    [[nodiscard]] Ending lab(const std::vector<std::string>& words) const;
    // A bash script in which $tool is lab-tool; run in the box's folder.
    [[nodiscard]] Ending script(const std::string& body) const;
    [[nodiscard]] bool asked(const std::string& lab, const std::string& words) const;

    Sandbox box_;

private:
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment() const;
};

}  // namespace lab::tools

#define EXPECT_SAYS(ending, text) EXPECT_NE((ending).output.find(text), std::string::npos) << (ending).output
#define EXPECT_SAYS_NOT(ending, text) EXPECT_EQ((ending).output.find(text), std::string::npos) << (ending).output
