// Points from a suite's report: GoogleTest's JSON with our properties. Never from exit codes.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/topic.h"
#include "common/findings/finding.h"
#include "common/findings/source_excerpt.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"

namespace lab::tools {

// One failure of a test with its fields (common/diagnosis/message.h).
struct Told {
    std::string what;
    std::vector<std::string> where;
    std::set<diagnosis::Topic> topics;
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
    std::string cause;                              // why a test fails, by a search or a warning: "line 24: ..."; or ""
    nlohmann::json edits;                           // that would make the kernel right (common/grading/repairs.h); for instructors
    std::string printed;                            // output of student code, host and device, in the order of printing; shortened if long
    std::string not_started;                        // the functions that do nothing yet: "naive_col, smem"; or ""
    std::vector<std::size_t> not_started_failures;  // those of `failures` that say nothing else
    bool is_undecided = false;                      // the grader itself failed: neither passed nor failed
    bool has_run = true;                            // false: only its points are known
    [[nodiscard]] bool passed() const { return has_run && failures.empty(); }
    [[nodiscard]] bool fails_as_not_started() const;
};

// Parts of a search's result that a course has printed.
struct ToldOfSearch {
    bool line = true, text = true, edit = true;
};

struct LabScore {
    std::string lab;      // "lab<n>"
    std::string title;    // "shared tiling"
    std::string backend;  // "emulator", "host", or "emulator and gpu" where a GPU had its part
    std::vector<TestScore> tests;
    std::string seed;                   // of the random inputs, as the suite printed it
    std::set<diagnosis::Topic> topics;  // of the trouble
    std::string trouble;                // why there are no or not all tests: a compile error, a suite that died; "" if all is well
    std::vector<std::string> warnings;  // the compiler's, about the student's file: "matmul_global.cu:78: variable 'sum' is ..."
    bool does_not_compile = false;      // the trouble is in the student's file
    bool is_undecided = false;          // the grader itself failed: nothing was judged
    bool stopped = false;               // the grading was ended before its end
    double seconds = 0;
    std::string sandbox;  // its strength; "": the file was compiled and run without one
    SourceText source;    // the file that was graded
    std::string subject;  // the words that named it: "--from FILE", "--solutions"; "": the student's own
    ToldOfSearch told_of_search;
    std::string remark;  // a course's, on the points: "2 days late: 20 % off"; or ""
    [[nodiscard]] double points() const;
    [[nodiscard]] double earned() const;
    [[nodiscard]] double undecided() const;     // points of undecided tests
    [[nodiscard]] std::size_t passing() const;  // number of tests that pass
    [[nodiscard]] bool full() const;
    [[nodiscard]] bool was_judged() const;  // whether any test ran
};

// Reads the JSON of --gtest_output. Throws BadInput if it is invalid.
[[nodiscard]] std::vector<TestScore> read_scores(const nlohmann::json& report, std::string* backend);

// {"points", "of", "undecided", "labs": [{"lab", "title", "backend", "points", "of", "undecided", "seconds", "seed", "trouble",
// "is_undecided", "does_not_compile", "stopped", "sandbox", "warnings": [...], "tests": [{"name", "group", "points", "of", "passed",
// "undecided", "seconds", "measured", "printed", "cause", "edits", "failures": [texts], "messages": [as common/diagnosis/message.h says],
// "findings": [as finding_json.h says, of all messages, each once]}]}]}
[[nodiscard]] nlohmann::json to_json(const std::vector<LabScore>& labs);

// Scores from that JSON, and one of them from an element of "labs". Topics, fields of messages, warnings and source are not read. Throws
// BadInput for any other JSON.
[[nodiscard]] std::vector<LabScore> scores_from_json(const nlohmann::json& json);
[[nodiscard]] LabScore score_from_json(const nlohmann::json& lab);

// Gives the tests the points that a course has for them (common/classroom/course.schema.json): by a test's name without the suite's, or by
// a group, whose tests share them in the suite's proportions.
void use_points(const std::map<std::string, double>& points, LabScore* score);
// Where no search found why a test fails: the compiler's warning about a function that the test's first message names.
void add_causes_of_warnings(LabScore* score);
// A lab's points in the file of a course. Throws BadInput if it is none.
[[nodiscard]] std::map<std::string, double> points_in_course(const std::filesystem::path& file, const std::string& lab);

// The same in the file of a course. Throws BadInput likewise.
[[nodiscard]] ToldOfSearch told_of_search_in(const std::filesystem::path& file);

// The verdict of a lab's last grading, kept for later requests about the same file (`lab hint`, `lab report`).
class KeptVerdict {
public:
    // `others`: which file was judged in place of the student's own, "solution" or "from"; "" for the own one. Each has a verdict.
    KeptVerdict(const Project& project, const Lab& lab, std::string others);

    // Fingerprint of a verdict's inputs: the current contents of the student's own files, if they are judged, and of the programs.
    [[nodiscard]] std::string subject(const std::vector<std::filesystem::path>& programs) const;

    // Replaces the kept report by the suite's report on `subject`. Concurrent gradings each leave a complete one.
    void keep(const std::string& subject, const std::string& seed, const nlohmann::json& report) const;

    // Sets tests, backend and seed if the kept verdict is on `subject`; else returns false and changes nothing.
    [[nodiscard]] bool recall(const std::string& subject, LabScore* score) const;

private:
    const Project& project_;
    const Lab& lab_;
    std::string others_;
    std::filesystem::path file_;
};

}  // namespace lab::tools
