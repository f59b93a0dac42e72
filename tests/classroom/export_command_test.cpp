#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "common/classroom/class_commands.h"
#include "common/tools/errors.h"
#include "tests/classroom/exports/made_up_scores.h"
#include "tests/tools/sandbox.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

using exports::lab_with;

class ExportCommand : public testing::Test {
protected:
    ExportCommand() {
        project_.root = LAB_SOURCE_FOLDER;
        options_.results = (box_.folder() / "class.db").string();
    }

    // Keeps these students' verdicts in the database.
    void keep(const std::vector<exports::StudentScores>& students) const {
        Results results(options_.results);
        std::vector<Submission> submissions;
        for (const exports::StudentScores& each : students) {
            for (const tools::LabScore& score : each.labs) {
                submissions.push_back({each.student, score.lab, "origin", "text of " + each.student, ""});
                results.keep({score, submissions.back().hash(), "1", "", 0});
            }
        }
        results.replace_submissions(submissions);
    }
    // Writes the JSON of `lab grade`.
    void write_json(const std::vector<tools::LabScore>& labs) {
        options_.scores = box_.write("scores.json", tools::to_json(labs).dump()).string();
    }
    int run(const std::string& format) {
        options_.format = format;
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        int status = tools::exit_bad_input;
        refusal_.clear();
        try {
            status = export_results(project_, options_);
        } catch (const tools::BadInput& bad) {
            refusal_ = bad.what();
        }
        std::fflush(stdout);
        printed_ = testing::internal::GetCapturedStdout();
        complaints_ = testing::internal::GetCapturedStderr();
        return status;
    }
    [[nodiscard]] std::string in_box(const std::string& name) const { return (box_.folder() / name).string(); }

    tools::Sandbox box_;
    tools::Project project_;
    ExportOptions options_;
    std::string printed_, complaints_, refusal_;
};

TEST_F(ExportCommand, ListsTheFormats) {
    EXPECT_EQ(run(""), 0);
    EXPECT_NE(printed_.find("gradescope          a student    Gradescope's autograder\n"), std::string::npos) << printed_;
    EXPECT_EQ(run("grades"), 2);
    EXPECT_EQ(refusal_.find("unknown format 'grades'; there are: gradescope, "), 0U);
}

TEST_F(ExportCommand, WritesAFileForEachStudent) {
    exports::StudentScores above = exports::ordinary(), other = exports::ordinary();
    above.student = "../../above";
    other.student = "Ada";
    keep({above, other});
    options_.out = in_box("out/of/it");
    EXPECT_EQ(run("gradescope"), 0) << refusal_;
    EXPECT_EQ(printed_, "2 files in " + options_.out + "\n");
    EXPECT_EQ(nlohmann::json::parse(box_.read("out/of/it/Ada/results.json")).at("score"), 6);
    EXPECT_NE(box_.read("out/of/it/" + exports::folder_name("../../above") + "/results.json"), "");
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(box_.folder())) files += entry.path().filename() == "results.json" ? 1 : 0;
    EXPECT_EQ(files, 2U);
}

TEST_F(ExportCommand, PrintsOneStudentsFile) {
    exports::StudentScores other = exports::ordinary();
    other.student = "Grace";
    keep({exports::ordinary(), other});
    EXPECT_EQ(run("junit"), 2);
    EXPECT_EQ(refusal_, "junit: a file for each student; name a folder: --out DIR");
    options_.student = "Grace";
    EXPECT_EQ(run("junit"), 0);
    EXPECT_EQ(printed_.find("<?xml"), 0U) << printed_;
    options_.student = "Grac";
    EXPECT_EQ(run("junit"), 2);
    EXPECT_NE(refusal_.find("no student 'Grac'"), std::string::npos);
}

TEST_F(ExportCommand, TakesTheJsonOfLabGrade) {
    write_json(exports::partly_undecided().labs);
    EXPECT_EQ(run("github-annotations"), 3) << "not all was judged";
    EXPECT_EQ(printed_.find("::error file=labs/lab3_shared_tiling/shared_tiling.cu,line=31,"), 0U) << printed_;
    EXPECT_NE(printed_.find("::notice title=Lab3.C"), std::string::npos) << printed_;
    options_.out = in_box("results.json");
    EXPECT_EQ(run("gradescope"), 3);
    EXPECT_EQ(nlohmann::json::parse(box_.read("results.json")).at("tests").size(), 3U);
}

TEST_F(ExportCommand, TheJsonHasTheSameVerdictAsTheDatabase) {
    for (const exports::StudentScores& student : {exports::partly_undecided(), exports::not_judged(), exports::not_compiling()}) {
        fs::remove(options_.results);
        options_.scores.clear();
        keep({student});
        const int status = run("csv");
        const std::string of_database = printed_;
        write_json(student.labs);
        options_.student = student.student;
        EXPECT_EQ(run("csv"), status);
        EXPECT_EQ(printed_, of_database);
        options_.student.clear();
    }
}

TEST_F(ExportCommand, RefusesWhatIsNoScoresInOneLine) {
    for (const char* const text : {"", "{", "[]", "{}", R"({"labs": [1]})", R"({"labs": [{"lab": "lab3"}]})", R"({"labs": []})"}) {
        options_.scores = box_.write("scores.json", text).string();
        EXPECT_EQ(run("gradescope"), 2) << text;
        EXPECT_NE(refusal_, "") << text;
        EXPECT_EQ(refusal_.find('\n'), std::string::npos) << refusal_;
    }
    options_.scores = in_box("none.json");
    EXPECT_EQ(run("gradescope"), 2);
    tools::LabScore stopped = lab_with({});
    stopped.stopped = true;
    write_json({stopped});
    EXPECT_EQ(run("gradescope"), 2);
    EXPECT_EQ(refusal_, "--scores " + options_.scores + ": its grading was interrupted");
    write_json({lab_with({}, "../x")});
    EXPECT_EQ(run("gradescope"), 2);
    EXPECT_EQ(refusal_, "--scores " + options_.scores + ": no scores of ./lab grade --json: '../x' is no lab");
}

TEST_F(ExportCommand, SaysWhatIsNotGradedYet) {
    keep({exports::ordinary()});
    {
        Results results(options_.results);
        results.replace_submissions({{"Ada_17", "lab3", "", "text of Ada_17", ""}, {"Grace", "lab3", "", "other", ""}});
    }
    EXPECT_EQ(run("csv"), 0);
    EXPECT_EQ(complaints_, "left out, since it is not graded yet: lab3 of Grace\n");
    EXPECT_NE(printed_.find("\r\nAda_17,lab3,6,"), std::string::npos);
    options_.labs = {"4"};
    EXPECT_EQ(run("csv"), 2);
    EXPECT_EQ(refusal_, "nothing to export: no score of these students and labs");
}

TEST_F(ExportCommand, FillsInAGradebook) {
    exports::StudentScores both = exports::ordinary();
    both.labs.push_back(lab_with({exports::passed("Lab4.A", 10)}, "lab4"));
    keep({both});
    EXPECT_EQ(run("moodle"), 2);
    EXPECT_EQ(refusal_, "moodle: name the file that it exported: --into FILE");
    options_.into = box_.write("moodle.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 17,Ada,,10.00\n").string();
    EXPECT_EQ(run("moodle"), 2);
    EXPECT_EQ(refusal_, "moodle: one column for the points of 2 labs; name those that count: --labs LAB,...");
    EXPECT_EQ(run("csv"), 2);
    EXPECT_EQ(refusal_, "csv: fills in no file; leave out --into and --column");
    options_.labs = {"lab3"};
    EXPECT_EQ(run("moodle"), 0) << refusal_;
    EXPECT_EQ(printed_, "Identifier,Full name,Grade,Maximum Grade\nParticipant 17,Ada,6,10.00\n");
    EXPECT_EQ(complaints_, "no column for comments in it: grades alone\n");
    options_.labs = {"lab3", "lab4"};
    options_.out = options_.into;
    EXPECT_EQ(run("moodle"), 0);
    EXPECT_EQ(box_.read("moodle.csv"), "Identifier,Full name,Grade,Maximum Grade\nParticipant 17,Ada,8,10.00\n");
}

}  // namespace
}  // namespace lab::classroom
