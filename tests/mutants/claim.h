// Claim in a sample's first line, and its check against a suite's report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lab::mutants {

struct Claim {
    std::string test;    // "Lab3.HasNoRaces"; "" if the file has to be accepted
    std::string reason;  // has to be in that test's message
    std::string where;   // "all shapes" or "7 of 9 shapes" of those that the test tries; "some shapes" where chance has a say in
                         // how many, as in what a race leaves behind; "" where it tries one
};

// None if the line is no claim.
[[nodiscard]] std::optional<Claim> read_claim(const std::string& line);

// A test that a suite ran.
struct Test {
    std::string name, failures;
    bool is_measured = false;           // on a GPU
    std::string where;                  // "7 of 9 shapes", "all shapes"; "" where it tried one
    std::vector<std::string> messages;  // the same failures, each as a student sees it
    std::vector<std::string> causes;    // what they name (common/diagnosis/causes/list.h); "" of one that names none
    bool completed = false;
};

// The tests of GoogleTest's JSON.
[[nodiscard]] std::vector<Test> tests_in(const nlohmann::json& report);

// Reason why the claim does not hold; "" if it does.
[[nodiscard]] std::string objection(const Claim& claim, const std::vector<Test>& tests);

}  // namespace lab::mutants
