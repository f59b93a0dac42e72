// Points of a test, and their path to the score table.
//
// Each test calls grade_as() first. It records these properties, which GoogleTest writes into its JSON (--gtest_output=json:FILE)
// as members of the test's object:
//   "lab"      "3"
//   "group"    "correct", "safe", "technique", "fast" or "host"
//   "points"   "15": earned if the test ran and has no failure; nothing otherwise, also when it was skipped
//   "backend"  "emulator", "gpu" or "host": what ran the student's code, "emulator and gpu" where it had to be right on both
//   "undecided" "yes": the test failed since the grader could not do its own part; it says nothing about the student's code
//   "not_started" "naive_col, smem": the functions that do nothing yet; "not_started_failures" "0 2": the failures that say so
//   "messages" a JSON text: each failure's message with its fields, as message.h's to_json() says
//   "printed"  the output of student code, shortened by CappedText
// and, where a test has measured something, "measured" (one line for the table) and "times" ("measured", or "modelled for h100").
// The points of a lab's tests add up to 100.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "common/diagnosis/message.h"

namespace lab::grading {

using namespace diagnosis;  // suites speak of both

#define LAB_GROUPS(X)         \
    X(correct, "correct")     \
    X(safe, "safe")           \
    X(technique, "technique") \
    X(fast, "fast")           \
    X(host, "host")
LAB_NAMED_ENUM(Group, LAB_GROUPS)

struct Worth {
    int lab = 0;
    Group group = Group::correct;
    int points = 0;
};

void grade_as(const Worth& worth);

// A test of a lab. Where there is a GPU, tests of the group correct are repeated on it once they have passed in the emulator.
class GradedTest : public ::testing::Test {
protected:
    void TestBody() override = 0;
    void TearDown() override;
};

// Fails the running test with a message for the student, without the suite's own file and line. Adds missing parts: the section to read, by
// the mistake or the test's group.
void fail(const Message& message);
void expect(bool holds, const Message& otherwise);

// Adds the output of student code in one call to the test's property "printed", and prints it.
void record_output(const std::string& text);

// One line on a measurement, for the score table and the test's output.
void record_measurement(const std::string& text, const std::string& kind_of_times);

}  // namespace lab::grading
