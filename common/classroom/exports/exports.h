// Scores as course systems and continuous integration read them: functions from scores to text, and the table of formats.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/tools/score.h"

namespace lab::classroom::exports {

// A student with the scores of his submissions.
struct StudentScores {
    std::string student;
    std::vector<tools::LabScore> labs;
};

// Values that a file holds beside the scores.
struct Environment {
    std::function<std::string(const char* name)> variable;  // environment variable; "" if it is not set
    std::string time;                                       // now, in UTC: "2026-11-23T10:00:00Z"
    std::map<std::string, std::string> files;               // path of a lab's file in the student's repository, by the lab's name
};

// A gradebook with the scores in it, and a line for each score that it does not hold.
struct Filled {
    std::string text;
    std::vector<std::string> remarks;
};

// One format. Exactly one of the three functions is set.
struct Format {
    const char* name;
    const char* file;           // name of a student's file in that system; "" for files about the class
    std::size_t max_bytes = 0;  // that the system takes; 0: no limit is known
    const char* what;
    std::string (*of_student)(const StudentScores&, const Environment&) = nullptr;
    std::string (*of_class)(const std::vector<StudentScores>&) = nullptr;
    // `column`: header of the column for the points; "": found by the labs' names, or by the file's form.
    Filled (*fill_in)(const std::string& exported, const std::vector<StudentScores>&, const std::string& column) = nullptr;
};

[[nodiscard]] const std::vector<Format>& formats();
// The format of this name. Throws BadInput.
[[nodiscard]] const Format& format_named(const std::string& name);

// The file of a format. Texts become valid UTF-8 without control characters but tab and line feed, and are shortened until the file is
// within the format's limit. Throws BadInput where it can't be, and for a gradebook that can't be read.
[[nodiscard]] std::string student_file(const Format& format, const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string class_file(const Format& format, const std::vector<StudentScores>& students);
[[nodiscard]] Filled filled_in(const Format& format, const std::string& exported, const std::vector<StudentScores>& students,
                               const std::string& column);

// Name of a student's folder: the student's own name if it is safe for a file system, else its safe part and a hash. Different students
// have different folders.
[[nodiscard]] std::string folder_name(const std::string& student);

// --- For the formats ---------------------------------------------------------------------------------------------

enum class State { passed, failed, undecided };
[[nodiscard]] State state_of(const tools::LabScore& lab, const tools::TestScore& test);
// Whether the grader itself failed in any of the lab's tests.
[[nodiscard]] bool is_undecided(const tools::LabScore& lab);
// A test's text for the student: messages of a failed test, the measured figures of one that passed, why one was not judged.
[[nodiscard]] std::string text_of(const tools::LabScore& lab, const tools::TestScore& test);
// Remarks on a lab as a whole: why no test ran, how many points could not be judged. "" if there are none.
[[nodiscard]] std::string remarks_of(const StudentScores& student);
// Points without needless decimals.
[[nodiscard]] std::string shown(double points);
// Points earned by their maximum, from 0 to 1.
[[nodiscard]] double share(const StudentScores& student);
// `text`, or as many whole characters as fit, with a mark.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t max_bytes);
// `text` with each of these characters replaced.
[[nodiscard]] std::string replaced(const std::string& text, const std::map<char, std::string>& characters);
// For XML and HTML.
[[nodiscard]] std::string escaped(const std::string& text);

// autograders.cpp
[[nodiscard]] std::string gradescope(const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string classroom50(const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string prairielearn(const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string autolab(const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string submitty(const StudentScores& student, const Environment& environment);
// integration.cpp
[[nodiscard]] std::string junit(const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string github_annotations(const StudentScores& student, const Environment& environment);
[[nodiscard]] std::string github_summary(const StudentScores& student, const Environment& environment);
// gradebooks.cpp
[[nodiscard]] Filled canvas(const std::string& exported, const std::vector<StudentScores>& students, const std::string& column);
[[nodiscard]] Filled moodle(const std::string& exported, const std::vector<StudentScores>& students, const std::string& column);
// csv.cpp
[[nodiscard]] std::string csv(const std::vector<StudentScores>& students);

}  // namespace lab::classroom::exports
