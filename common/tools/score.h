// Points from a suite's report: GoogleTest's JSON with our properties. Never from exit codes.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/findings/source_excerpt.h"
#include "common/grading/topic.h"
#include "common/tools/lines.h"

namespace lab::tools {

// One failure of a test with its fields (common/grading/message.h).
struct Told {
    std::string what;
    std::vector<std::string> where;
    std::set<grading::Topic> topics;
    std::vector<Finding> findings;
    nlohmann::json fields;  // all of them
};

struct TestScore {
    std::string name;   // "Lab<n>.MatchesReferenceAtWidth1000WithTile25"
    std::string group;  // correct, safe, technique, fast, host
    double points = 0;  // its maximum
    double earned = 0;  // all of them, or none if it failed, was skipped or never ended
    double seconds = 0;
    std::string measured;                           // what a test about speed measured, in its own words; or ""
    std::vector<std::string> failures;              // texts for the student
    std::vector<Told> told;                         // the same with their fields; fewer if other assertions than our messages failed
    std::string printed;                            // output of student code, host and device, in the order of printing; shortened if long
    std::string not_started;                        // the functions that do nothing yet: "naive_col, smem"; or ""
    std::vector<std::size_t> not_started_failures;  // those of `failures` that say nothing else
    bool is_undecided = false;                      // the grader itself failed: neither passed nor failed
    bool has_run = true;                            // false: only its points are known
    [[nodiscard]] bool passed() const { return has_run && failures.empty(); }
    [[nodiscard]] bool fails_as_not_started() const;
};

struct LabScore {
    std::string lab;      // "lab<n>"
    std::string title;    // "shared tiling"
    std::string backend;  // "emulator", "host", or "emulator and gpu" where a GPU had its part
    std::vector<TestScore> tests;
    std::string seed;                   // of the random inputs, as the suite printed it
    std::set<grading::Topic> topics;    // of the trouble
    std::string trouble;                // why there are no or not all tests: a compile error, a suite that died; "" if all is well
    std::vector<std::string> warnings;  // the compiler's, about the student's file: "matmul_global.cu:78: variable 'sum' is ..."
    bool does_not_compile = false;      // the trouble is in the student's file
    bool is_undecided = false;          // the grader itself failed: nothing was judged
    bool stopped = false;               // the grading was ended before its end
    double seconds = 0;
    std::string sandbox;  // its strength; "": the file was compiled and run without one
    SourceText source;    // the file that was graded
    std::string subject;  // the words that named it: "--from FILE", "--solutions"; "": the student's own
    [[nodiscard]] double points() const;
    [[nodiscard]] double earned() const;
    [[nodiscard]] double undecided() const;  // points of undecided tests
    [[nodiscard]] bool full() const;
    [[nodiscard]] bool was_judged() const;  // whether any test ran
};

// Reads the JSON of --gtest_output. Throws BadInput if it is invalid.
[[nodiscard]] std::vector<TestScore> read_scores(const nlohmann::json& report, std::string* backend);

// {"points", "of", "undecided", "labs": [{"lab", "title", "backend", "points", "of", "undecided", "seconds", "trouble",
// "sandbox", "warnings": [...], "tests": [{"name", "group", "points", "of", "passed", "undecided", "seconds", "measured", "printed",
// "failures": [texts], "messages": [as common/grading/message.h says], "findings": [as finding_json.h says, of all messages, each
// once]}]}]}
[[nodiscard]] nlohmann::json to_json(const std::vector<LabScore>& labs);

}  // namespace lab::tools
