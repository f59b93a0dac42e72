// A course's settings: what is refused and where, points, late rule, what students see; and a class that follows them.
#include "common/classroom/course.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/classroom/class_commands.h"
#include "common/classroom/json_schema.h"
#include "common/classroom/packaging/pages.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "tests/classroom/exports/made_up_scores.h"
#include "tests/classroom/verdicts_in.h"
#include "tests/tools/stand_in_project.h"

namespace lab::classroom {
namespace {

using exports::failed;
using exports::lab_with;
using exports::passed;
using exports::undecided;

class CourseTest : public tools::StandInProject {
protected:
    // The suite of lab 3 has Lab3.A (6, correct), which a text with "wrong" fails, and Lab3.B (4, safe).
    CourseTest() {
        const std::string schema = "common/classroom/course.schema.json";
        box_.write("root/" + schema, tools::read_whole(std::filesystem::path(LAB_SOURCE_FOLDER) / schema));
        nlohmann::json b = passed("Lab3.B", 4);
        b["group"] = "safe";
        const auto report = [&](const nlohmann::json& a) {
            return nlohmann::json{{"testsuites", {{{"name", "Lab3"}, {"testsuite", {a, b}}}}}}.dump();
        };
        box_.write("passed.report", report(passed("Lab3.A", 6)));
        box_.write("failed.report", report(failed("Lab3.A", 6, "it is wrong")));
        box_.program("build/bin/lab3_test", R"(
cd ')" + box_.folder().string() + R"('
for word; do [[ $word == --gtest_output=json:* ]] && report=${word#--gtest_output=json:}; done
if [[ $1 == --describe ]]; then cp passed.report "$report"; exit; fi
[[ $1 == --runner ]] && text=$(<"$2")
echo x >> graded.log
if [[ $text == *wrong* ]]; then cp failed.report "$report"; else cp passed.report "$report"; fi)");
    }
    [[nodiscard]] std::size_t suites_run() const { return box_.read("graded.log").size() / 2; }
    void hand_in(const std::string& student, const std::string& text) const { box_.write("class/" + student + "/tiled.cu", text); }
    // What `lab class` says of a course.
    [[nodiscard]] std::string refusal(const std::string& text) const {
        box_.write("course.json", text);
        const tools::Ending ending = lab({"class", "class", "--course", "course.json", "--dry-run"});
        EXPECT_EQ(ending.status, ending.output.rfind("lab: ", 0) == 0 ? 2 : 0) << ending.output;
        return ending.output;
    }
};

TEST_F(CourseTest, NamesTheLineAndTheKeyOfAnError) {
    hand_in("ada", "right");
    const auto in_lab = [&](const std::string& settings) { return refusal("{\n\"labs\": {\n\"lab3\": {\n" + settings + "\n}}}"); };
    EXPECT_EQ(in_lab("\"late\": {\n\n\"percent_per_day\": 120}"),
              "lab: course.json:6: labs.lab3.late.percent_per_day: 120 is more than 100\n");
    EXPECT_EQ(in_lab("\"wieght\": 2"), "lab: course.json:4: labs.lab3.wieght: unknown; nearest: weight, seen, late\n");
    EXPECT_EQ(in_lab("\"weight\": \"2\""), "lab: course.json:4: labs.lab3.weight: \"2\" is no number\n");
    EXPECT_EQ(in_lab("\"points\": {\"A\": -1}"), "lab: course.json:4: labs.lab3.points.A: -1 is less than 0\n");
    EXPECT_EQ(in_lab("\"points\": {\n\"AA\": 1}"),
              "lab: course.json:5: labs.lab3.points.AA: neither a test nor a group; nearest: A, B, safe\n");
    EXPECT_EQ(in_lab("\"points\": {\"fast\": 1}"),
              "lab: course.json:4: labs.lab3.points.fast: neither a test nor a group; nearest: safe, A, B\n");
    EXPECT_EQ(in_lab("\"seen\": {\"before\": \"all\"}"),
              "lab: course.json:4: labs.lab3.seen.before: \"all\" is none of [\"points\",\"tests\",\"messages\"]\n");
    for (const char* const time : {"2026-11-30", "2026-11-30T23:59:00", "2026-02-31T23:59:00Z", "2026-11-30T23:59:00Z x"})
        EXPECT_EQ(in_lab(fmt::format("\"deadline\": \"{}\"", time)),
                  fmt::format("lab: course.json:4: labs.lab3.deadline: '{}' is no time with its zone, such as 2026-11-30T23:59:00+01:00\n",
                              time));
    EXPECT_EQ(refusal("{\"labs\": {\n\"lab33\": {}}}"), "lab: course.json:2: labs.lab33: no such lab; nearest: lab3, lab1\n");
    EXPECT_EQ(refusal("{\n\"labs\": {}}"), "lab: course.json:2: labs: names no lab\n");
    EXPECT_EQ(refusal("{}"), "lab: course.json:1: labs: missing\n");
    EXPECT_EQ(refusal("{\"labs\":\n[{\"name\": 1}, {\"name\": 2}]}"),
              "lab: course.json:1: labs: [{\"name\":1},{\"name\":2}] is no object\n");
    EXPECT_EQ(in_lab("\"weight\": 1e999").rfind("lab: course.json: [json.exception.out_of_range", 0), 0U);
    EXPECT_EQ(refusal("[]"), "lab: course.json:1: [] is no object\n");
    EXPECT_EQ(refusal("{\"labs\": {\"lab3\": {}},\n\"device\": \"h1000\"}").rfind("lab: course.json:2: device: ", 0), 0U);
    EXPECT_EQ(refusal("{\"labs\": {\"lab3\": {},\n\"lab3\": {}}}"), "lab: course.json:2: labs.lab3: is in line 1, too\n");
    EXPECT_EQ(refusal("{\"labs\":\n{\"lab3\" {}}}"),
              "lab: course.json:2:9: no JSON: while parsing object separator - unexpected '{'; expected ':'\n");
    EXPECT_EQ(
        in_lab("\"points\": {\"A\": 1, \"correct\": 2, \"safe\": 3}, \"deadline\": \"2026-11-30T23:59:00+01:00\"").find("class: 1 sub"),
        0U);
}

TEST(Course, TheInstructorsPageShowsAValidExample) {
    const std::filesystem::path root = LAB_SOURCE_FOLDER;
    const std::string example = tools::read_whole(root / "tests/classroom/course_example.json");
    EXPECT_NE(tools::read_whole(root / "handouts/instructors.md").find("```json\n" + example + "```\n"), std::string::npos);
    const auto schema = nlohmann::json::parse(tools::read_whole(root / "common/classroom/course.schema.json"));
    for (const Violation& each : violations(nlohmann::json::parse(example), schema)) ADD_FAILURE() << each.place << ": " << each.what;
}

TEST(Course, TimesHaveAZone) {
    EXPECT_EQ(time_in("1970-01-02T00:00:00Z"), 86'400);
    EXPECT_EQ(time_in("1970-01-02T00:00+01:00"), 82'800);
    EXPECT_EQ(time_in("1970-01-02T00:00:30-01:30"), 91'830);
}

CourseLab with_points(const std::map<std::string, double>& points) {
    CourseLab made;
    made.points = points;
    return made;
}

// Points of the tests of ten points: A (6) and B (2), which are passed, in the group correct, C (2), failed, in the group safe.
std::vector<double> points_with(const std::map<std::string, double>& points, double* earned) {
    tools::LabScore score = lab_with({passed("Lab3.A", 6), passed("Lab3.B", 2), failed("Lab3.C", 2, "a race")});
    score.tests[2].group = "safe";
    apply({"", {{"lab3", with_points(points)}}}, 0, &score);
    *earned = score.earned();
    std::vector<double> made;
    for (const tools::TestScore& test : score.tests) made.push_back(test.points);
    return made;
}

TEST(Course, PointsByGroupAndByTest) {
    double earned = 0;
    EXPECT_EQ(points_with({}, &earned), (std::vector<double>{6, 2, 2}));
    EXPECT_EQ(earned, 8);
    EXPECT_EQ(points_with({{"correct", 40}}, &earned), (std::vector<double>{30, 10, 2}));
    EXPECT_EQ(earned, 40);
    EXPECT_EQ(points_with({{"A", 5}, {"C", 20}}, &earned), (std::vector<double>{5, 2, 20}));
    EXPECT_EQ(earned, 7);
    EXPECT_EQ(points_with({{"correct", 40}, {"A", 0}}, &earned), (std::vector<double>{0, 40, 2}));
    EXPECT_EQ(earned, 40);
}

TEST(Course, LabsCountByTheirWeights) {
    Course course{"", {{"lab1", {}}, {"lab3", {}}, {"lab4", {}}}};
    course.labs["lab3"].weight = 2;
    const tools::LabScore full = lab_with({passed("Lab1.A", 100)}, "lab1");
    const tools::LabScore half = lab_with({passed("Lab3.A", 5), failed("Lab3.B", 5, "x")}, "lab3");
    EXPECT_EQ(total_percent(course, {full, half}), 50) << "1/4 of 100 %, 2/4 of 50 %, 1/4 of what is not handed in";
    EXPECT_EQ(total_percent({}, {full}), 0);
}

TEST(Course, LosesPointsByTheDay) {
    CourseLab lab;
    lab.deadline = "2026-11-30T12:00:00Z";
    lab.late = {10, 20, 3};
    const std::int64_t deadline = *time_in(lab.deadline);
    constexpr std::int64_t minute = 60, day = 86'400;
    const auto after = [&](std::int64_t late) {
        tools::LabScore score = lab_with({passed("Lab3.A", 10)});
        apply({"", {{"lab3", lab}}}, deadline + late, &score);
        return fmt::format("{:.6g} {}", score.earned(), score.remark);
    };
    EXPECT_EQ(after(-day), "10 ");
    EXPECT_EQ(after(0), "10 ");
    EXPECT_EQ(after(10 * minute), "10 ");
    EXPECT_EQ(after(10 * minute + 1), "8 1 day late: 20 % off");
    EXPECT_EQ(after(day), "8 1 day late: 20 % off");
    EXPECT_EQ(after(day + 1), "6 2 days late: 40 % off");
    EXPECT_EQ(after(3 * day), "4 3 days late: 60 % off");
    EXPECT_EQ(after(3 * day + 1), "0 4 days late: 100 % off, after the last day");
    EXPECT_EQ(after(-deadline), "10 ") << "when it was handed in is not known";
    lab.late = {0, 60, {}};
    EXPECT_EQ(after(9 * day), "0 9 days late: 100 % off");
    lab.late = {};
    EXPECT_EQ(after(day), "10 1 day late: 0 % off");
}

// What a student of these rules sees in Gradescope's file: the total, then each test's name, points and text.
std::string seen(const SeenRule& rule, std::int64_t seconds_to_deadline) {
    CourseLab lab;
    lab.deadline = "2026-11-30T12:00:00Z";
    lab.seen = rule;
    exports::StudentScores student{"Ada", {lab_with({passed("Lab3.A", 6), failed("Lab3.B", 4, "a race")})}};
    student.labs[0].tests[0].measured = "2 times as fast";
    hide_unseen({"", {{"lab3", lab}}}, *time_in(lab.deadline) - seconds_to_deadline, student.labs.data());
    const nlohmann::json all = nlohmann::json::parse(exports::file_of("gradescope", student));
    std::string text = all.at("score").dump();
    for (const nlohmann::json& test : all.at("tests")) {
        EXPECT_EQ(test.at("visibility"), "visible") << "a hidden one hides the total";
        text += fmt::format("; {} {}/{}: {}", test.at("name").get<std::string>(), test.at("score").dump(), test.at("max_score").dump(),
                            test.at("output").get<std::string>());
    }
    return text;
}

TEST(Course, StudentsSeeMoreAfterTheDeadline) {
    const std::string everything = "6.0; Lab3.A 6.0/6.0: 2 times as fast; Lab3.B 0.0/4.0: a race";
    EXPECT_EQ(seen({}, 1), everything);
    const SeenRule tests{Seen::tests, Seen::messages}, points{Seen::points, Seen::points};
    EXPECT_EQ(seen(tests, 0), "6.0; Lab3.A 6.0/6.0: ; Lab3.B 0.0/4.0: more is shown after 2026-11-30T12:00:00Z");
    EXPECT_EQ(seen(tests, -1), everything);
    EXPECT_EQ(seen(points, 1), "6.0; lab3: all tests 6.0/10.0: no more is shown");
    EXPECT_EQ(seen(points, -1), seen(points, 1));
}

TEST(Course, WhatIsNotShownIsInNoFileForStudents) {
    CourseLab lab;
    lab.seen = {Seen::points, Seen::points};
    exports::StudentScores student{"Ada",
                                   {lab_with({passed("Lab3.Shy", 6), failed("Lab3.Secret", 4, "hidden"), undecided("Lab3.Odd", 2)})}};
    tools::LabScore& score = student.labs[0];
    score.tests[0].measured = score.tests[0].printed = score.tests[1].printed = "hidden";
    score.trouble = "the suite died\nhidden";
    hide_unseen({"", {{"lab3", lab}}}, 0, &score);
    EXPECT_EQ(score.earned(), 6);
    EXPECT_EQ(score.points(), 12);
    EXPECT_EQ(score.undecided(), 2);
    for (const exports::Format& format : exports::formats()) {
        if (format.of_student == nullptr) continue;
        const std::string text = exports::file_of(format.name, student);
        for (const char* const word : {"Shy", "Secret", "Odd", "hidden", "no memory"})
            EXPECT_EQ(text.find(word), std::string::npos) << format.name << ":\n" << text;
    }
}

TEST_F(CourseTest, AClassFollowsItAndAnotherOneGradesNothingAgain) {
    hand_in("ada", "right");
    hand_in("grace", "wrong");
    hand_in("kay", "right");
    box_.write("class/ada/baseline.cpp", "of lab 1");
    box_.write("times.csv",
               "student,lab,time\nkay,lab3,2026-12-02T11:00:00Z\nada,lab3,2026-11-30T12:00:00Z\ngrace,lab3,2026-11-30T12:00:00Z\n");
    box_.write("course.json", R"({"late": {"percent_per_day": 25}, "labs": {"lab3": {"deadline": "2026-11-30T12:00:00Z",
                                  "points": {"correct": 30, "B": 10}, "seen": {"before": "points", "after": "tests"}}}})");
    const tools::Ending ending = lab({"class", "class", "--course", "course.json", "--times", "times.csv"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_SAYS(ending, "class: 3 submissions of 3 students") << "lab 1 is not the course's";
    EXPECT_EQ(suites_run(), 2U);
    const auto line = [&](const std::string& student) {
        const std::string csv = lab({"class", "export", "csv", "--student", student}).output;
        return csv.substr(csv.find('\n') + 1, csv.find(",graded") - csv.find('\n') - 1);
    };
    EXPECT_EQ(line("ada"), "ada,lab3,40,40,0");
    EXPECT_EQ(line("grace"), "grace,lab3,10,40,0");
    EXPECT_EQ(line("kay"), "kay,lab3,20,40,0");
    EXPECT_SAYS(lab({"class", "show", "kay"}), "lab3: 2 days late: 50 % off\n50.0 % of the course, by its weights\n");
    EXPECT_SAYS(lab({"class", "status"}), "course.json with");
    EXPECT_SAYS_NOT(lab({"class", "export", "gradescope", "--student", "grace"}), "it is wrong");
    box_.write("other.json", R"({"labs": {"lab3": {"deadline": "2026-11-30T12:00:00Z", "points": {"A": 90}}}})");
    EXPECT_EQ(lab({"class", "class", "--course", "other.json"}).status, 0);
    EXPECT_EQ(suites_run(), 2U);
    EXPECT_EQ(line("grace"), "grace,lab3,4,94,0");
    EXPECT_EQ(line("kay"), "kay,lab3,94,94,0");
    EXPECT_SAYS(lab({"class", "show", "kay"}), "2 days late: 0 % off") << "the times of the first run still hold";
    EXPECT_SAYS(lab({"class", "export", "gradescope", "--student", "grace"}), "it is wrong");
    EXPECT_EQ(all_in(box_.folder() / "class.db").at(1).verdict->score.points(), 10) << "the verdict stays as it was graded";
    EXPECT_SAYS(lab({"class", "export", "csv", "--course", "other.json"}), "lab: --course: the database has its own");
}

TEST_F(CourseTest, TimesAreReadOrRefused) {
    hand_in("ada", "right");
    std::filesystem::last_write_time(box_.folder() / "class/ada/tiled.cu",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
    const auto handed_in = [&] { return all_in(box_.folder() / "class.db").at(0).handed_in; };
    (void)lab({"class", "class"});
    EXPECT_NEAR(static_cast<double>(handed_in()), static_cast<double>(std::time(nullptr)) - 48 * 3600, 600);
    box_.write("times.csv", "ada,lab3,2026-12-02T11:00:00\n\"Lovelace, A.\",lab3,2026-12-02T11:00:00Z\nada,lab3,now\n");
    EXPECT_SAYS(lab({"class", "class", "--times", "times.csv"}), "lab: --times: line 3: expected student,lab,time such as 2026-");
    box_.write("times.csv", "ada,lab3,1970-01-01T00:01:00Z\n\"Lovelace, A.\",lab3,2026-12-02T11:00:00Z\n");
    EXPECT_SAYS(lab({"class", "class", "--times", "times.csv"}), "--times: nothing is handed in: lab3 of Lovelace, A.\n");
    EXPECT_EQ(handed_in(), 60);
}

TEST_F(CourseTest, ADatabaseOfTheVersionBeforeIsBroughtUpToDate) {
    hand_in("ada", "right");
    (void)lab({"class", "class"});
    (void)script("sqlite3 class.db 'ALTER TABLE submission DROP COLUMN handed_in; PRAGMA user_version = 1'");
    EXPECT_SAYS(lab({"class", "status"}),
                "class.db: was written by an older version of the project; ./lab class FOLDER with it brings it up");
    EXPECT_EQ(lab({"class", "class"}).status, 0);
    EXPECT_EQ(suites_run(), 1U);
    EXPECT_SAYS(lab({"class", "status"}), "lab3");
}

TEST_F(CourseTest, GradeShowsItsPoints) {
    box_.write("root/course.json", R"({"labs": {"lab3": {"points": {"A": 90}}}})");
    EXPECT_SAYS(lab({"grade", "lab3"}), "94/94");
    EXPECT_SAYS(lab({"grade", "lab1"}), "4/4");
    box_.write("other.json", R"({"labs": {"lab3": {"points": {"correct": 1}}}})");
    EXPECT_SAYS(lab({"grade", "lab3", "--course", "other.json"}), "5/5");
    hand_in("ada", "right");
    (void)lab({"class", "class"});
    EXPECT_EQ(all_in(box_.folder() / "class.db").at(0).verdict->score.points(), 10) << "the suite's";
    box_.write("root/course.json", "{");
    EXPECT_SAYS(lab({"grade", "lab3"}), "course.json: no course's settings; ./lab class --course names the line");
}

TEST_F(CourseTest, AHandoutHasItsPoints) {
    const std::vector<tools::TestScore> tests{exports::passed("Lab3.A", 60), exports::passed("Lab3.B", 40)};
    const auto rewritten = [&](const std::map<std::string, double>& points) {
        const auto page = box_.write(
            "page.md", "as shipped, 0 of 100 points\n| correct | 100 | right (60) with TILE (16x16), B (40) |\n| x | 100 | (4) |\n");
        rewrite_points(page, tests, points);
        return box_.read("page.md");
    };
    EXPECT_EQ(rewritten({{"correct", 50}}),
              "as shipped, 0 of 50 points\n| correct | 50 | right (30) with TILE (16x16), B (20) |\n| x | 100 | (4) |\n");
    EXPECT_EQ(rewritten({{"B", 20}}), "as shipped, 0 of 80 points\n| correct | 80 | right with TILE (16x16), B |\n| x | 100 | (4) |\n");
}

}  // namespace
}  // namespace lab::classroom
