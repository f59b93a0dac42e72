// A course's own settings, course.json (course.schema.json describes it). Verdicts are kept as the suites made them; a course is applied
// when they are read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/classroom/results.h"
#include "common/findings/named_enum.h"
#include "common/tools/project.h"
#include "common/tools/score.h"

namespace lab::classroom {

struct LateRule {
    double grace_minutes = 0, percent_per_day = 0;
    std::optional<int> last_day;  // days after the deadline
};

#define LAB_SEEN(X) X(points, "points") X(tests, "tests") X(messages, "messages")
LAB_NAMED_ENUM(Seen, LAB_SEEN)

struct SeenRule {
    Seen before = Seen::messages, after = Seen::messages;  // the deadline
};

struct CourseLab {
    double weight = 1;
    std::map<std::string, double> points;  // by group or test
    std::string deadline;                  // "" for none
    LateRule late;
    SeenRule seen;
};

struct Course {
    std::string device;
    std::map<std::string, CourseLab> labs;  // none: no course is given
};

// A time in ISO 8601 with its zone, in seconds since 1970; nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> time_in(const std::string& text);

// The course of a file's text. Throws BadInput with the line and the key: no JSON, against the schema, or a lab, group, test or device that
// isn't there. Builds the suites of labs with points.
[[nodiscard]] Course read_course(const tools::Project& project, const std::string& file);
// The course that the class's last run was given; one without labs if it was given none.
[[nodiscard]] Course course_of(const Results& results);

// Applies the lab's points and late rule. `handed_in`: in seconds since 1970; 0: not known, and in time.
void apply(const Course& course, std::int64_t handed_in, tools::LabScore* score);
// Results::each with the class's course applied.
void each_by_course(const Results& results, const std::vector<std::string>& students, const std::function<void(Graded&)>& use);
// Percent of a student's submissions by the weights of all labs.
[[nodiscard]] double total_percent(const Course& course, const std::vector<tools::LabScore>& scores);
// Leaves of a score what the student may see at that time.
void hide_unseen(const Course& course, std::int64_t now, tools::LabScore* score);

}  // namespace lab::classroom
