#include <gtest/gtest.h>

#include "common/tools/errors.h"
#include "tests/classroom/exports/made_up_scores.h"

namespace lab::classroom::exports {
namespace {

Filled fill(const char* format, const std::string& exported, const std::vector<StudentScores>& students, const std::string& column = "") {
    return filled_in(format_named(format), exported, students, column);
}

// The line of a refusal; "" if the file is taken.
std::string refusal(const char* format, const std::string& exported, const std::vector<StudentScores>& students = {ordinary()},
                    const std::string& column = "") {
    try {
        (void)fill(format, exported, students, column);
        return "";
    } catch (const tools::BadInput& bad) {
        return bad.what();
    }
}

StudentScores named(const std::string& name, StudentScores scores = ordinary()) {
    scores.student = name;
    return scores;
}

using Remarks = std::vector<std::string>;

// --- Canvas ------------------------------------------------------------------------------------------------------

const std::string canvas_file =
    "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,Essay (500),Lab 3: tiling (501),Final Score\r\n"
    "    Points Possible,,,,,5,100,(read only)\r\n"
    "\"Lovelace, Ada\",17,A1,ada,\"Sec \"\"1\"\"\",4,,80\r\n"
    "\"Babbage, Charles\",18,A2,charles,2,5,\"30\",90\r\n"
    "\"Student, Test\",,,,,,,\r\n";

TEST(Canvas, GetsTheColumnsThatChangeAndTheOnesBeforeTheAssignments) {
    const Filled filled = fill("canvas", canvas_file, {named("ada_17"), named("charles_18", partly_undecided())});
    EXPECT_EQ(filled.text,
              "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,Lab 3: tiling (501)\r\n"
              "    Points Possible,,,,,100\r\n"
              "\"Lovelace, Ada\",17,A1,ada,\"Sec \"\"1\"\"\",50\r\n"
              "\"Babbage, Charles\",18,A2,charles,2,\"30\"\r\n"
              "\"Student, Test\",,,,,\r\n");
    EXPECT_EQ(filled.remarks, Remarks{"left as it is, since not all was judged: lab3 of charles_18"});
}

TEST(Canvas, FindsStudentsByNumberOrExactName) {
    for (const char* const name : {"x_17", "Lovelace, Ada", "ada", "A1"})
        EXPECT_NE(fill("canvas", canvas_file, {named(name)}).text.find("\"Sec \"\"1\"\"\",60\r\n"), std::string::npos) << name;
    const Filled none = fill("canvas", canvas_file, {named("x_1"), named("17x"), named("lovelace"), named(""), named("Points Possible")});
    EXPECT_EQ(none.remarks, (Remarks{"not matched: x_1", "not matched: 17x", "not matched: lovelace",
                                     "not matched: ", "not matched: Points Possible", "no points have changed"}));
}

TEST(Canvas, WritesNoneOfTwoStudentsOfOneRow) {
    const Filled filled = fill("canvas", canvas_file, {named("ada_17"), named("ada"), named("charles")});
    EXPECT_EQ(filled.remarks, (Remarks{"not matched: ada_17, who is not the only one of that row",
                                       "not matched: ada, who is not the only one of that row"}));
    EXPECT_NE(filled.text.find("\"Sec \"\"1\"\"\",\r\n"), std::string::npos) << filled.text;
    EXPECT_NE(filled.text.find("charles,2,\"60\"\r\n"), std::string::npos) << "a quoted cell stays one";
}

TEST(Canvas, LeavesOutColumnsThatStayAsTheyAre) {
    StudentScores same = named("charles_18");
    same.labs[0].tests = {passed("Lab3.A", 3), failed("Lab3.B", 7, "wrong")};
    const Filled filled = fill("canvas", canvas_file, {same});
    EXPECT_EQ(filled.remarks, Remarks{"no points have changed"});
    EXPECT_EQ(filled.text.find("Lab 3"), std::string::npos);
    EXPECT_EQ(filled.text.find("Essay"), std::string::npos);
}

TEST(Canvas, ExcusesWhoIsExcused) {
    std::string file = canvas_file;
    file.replace(file.find(",4,,80"), 6, ",4,EX,80");
    EXPECT_EQ(fill("canvas", file, {named("ada")}).remarks, (Remarks{"left as it is: EX in line 3", "no points have changed"}));
}

TEST(Canvas, TakesTheNamedColumn) {
    EXPECT_NE(fill("canvas", canvas_file, {named("ada")}, "Essay").text.find("\"Sec \"\"1\"\"\",3\r\n"), std::string::npos);
    EXPECT_NE(fill("canvas", canvas_file, {named("ada")}, "Essay (500)").text.find("\"Sec \"\"1\"\"\",3\r\n"), std::string::npos);
    EXPECT_EQ(refusal("canvas", canvas_file, {ordinary()}, "Final Score"),
              "--into: no column for these labs; name one: --column HEADER. There are: Essay, Lab 3: tiling");
}

TEST(Canvas, TellsLabsApartByTheirNumbers) {
    const std::string file =
        "Student,ID,Section,LAB_03 (1),lab30 (2),collab3 (3),lab4 (4)\nPoints Possible,,,10,10,10,10\nAda,17,x,1,1,1,1\n";
    StudentScores both = ordinary();
    both.labs.push_back(lab_with({passed("Lab4.A", 2)}, "lab4"));
    both.labs.push_back(lab_with({passed("Lab5.A", 2)}, "lab5"));
    const Filled filled = fill("canvas", file, {both});
    EXPECT_EQ(filled.text, "Student,ID,Section,LAB_03 (1),lab4 (4)\nPoints Possible,,,10,10\nAda,17,x,6,10\n");
    EXPECT_EQ(filled.remarks, Remarks{"no column for lab5"});
    EXPECT_EQ(refusal("canvas", "Student,ID,Lab 3 (1),lab3 quiz (2)\nAda,17,,\n"),
              "--into: several columns for lab3; name one: --column HEADER");
}

TEST(Canvas, CountsPointsOfLabsThatWereNotHandedIn) {
    StudentScores both = named("charles_18");
    both.labs.push_back(lab_with({passed("Lab4.A", 10)}, "lab4"));
    const Filled filled = fill("canvas", canvas_file, {named("ada_17"), both}, "Lab 3: tiling");
    EXPECT_NE(filled.text.find("\"Sec \"\"1\"\"\",30\r\n"), std::string::npos) << filled.text;
    EXPECT_NE(filled.text.find("charles,2,\"80\"\r\n"), std::string::npos) << filled.text;
}

// --- Moodle ------------------------------------------------------------------------------------------------------

const std::string moodle_file =
    "Identifikator,\"Vollst\u00e4ndiger Name\",E-Mail-Adresse,Status,Bewertung,Bestwertung,\"Bewertung \u00e4nderbar\","
    "\"Zuletzt ge\u00e4ndert (Abgabe)\",\"Zuletzt ge\u00e4ndert (Bewertung)\",\"Feedback als Kommentar\"\n"
    "\"Teilnehmer/in 17\",\"Ada Lovelace\",ada@example.org,\"Zur Bewertung\",,\"5,00\",Ja,\"Montag, 2. Nov.\",-,\n"
    "\"Teilnehmer/in 18\",\"Charles Babbage\",cb@example.org,\"Zur Bewertung\",\"3,00\",\"5,00\",Ja,-,-,\"<p>by hand</p>\"\n"
    "\"Teilnehmer/in 19\",\"Mary \"\"M\"\" Somerville\",ms@example.org,-,\"1,5\",\"5,00\",Ja,-,-,\n";

TEST(Moodle, GetsGradesAndCommentsInAnyLanguage) {
    StudentScores more = named("Charles Babbage");
    more.labs[0].tests[1] = passed("Lab3.B", 4);
    const Filled filled = fill("moodle", moodle_file, {named("Ada Lovelace_17"), more});
    const std::string ada =
        ",\"3\",\"5,00\",Ja,\"Montag, 2. Nov.\",-,\"<pre>lab3 shared tiling: 6 of 10 points\n\nLab3.B (0/4)\na race\n"
        "  at shared_tiling.cu:31\n</pre>\"\n";
    std::string expected = moodle_file;
    const std::string before = ",,\"5,00\",Ja,\"Montag, 2. Nov.\",-,\n";
    expected.replace(expected.find(before), before.size(), "," + ada.substr(1).replace(0, 3, "3"));
    expected.replace(expected.find("\"3,00\""), 6, "\"5\"");
    EXPECT_EQ(filled.text, expected);
    EXPECT_EQ(filled.remarks, Remarks{});
}

TEST(Moodle, WritesACommaWhereTheFileHasOne) {
    StudentScores more = named("x_18");
    more.labs[0].tests = {passed("Lab3.A", 7), failed("Lab3.B", 13, "<b>&\"x\"")};
    const std::string text = fill("moodle", moodle_file, {more, named("Ada_17", more)}).text;
    EXPECT_NE(text.find(",\"1,75\",\"5,00\",Ja,\"Montag"), std::string::npos) << text;
    EXPECT_NE(text.find(",\"1,75\",\"5,00\",Ja,-,-,\"<p>by hand</p>\"\n"), std::string::npos) << text;
    EXPECT_NE(text.find("&lt;b&gt;&amp;&quot;x&quot;"), std::string::npos) << "a student's text is no HTML";
}

TEST(Moodle, LeavesUndecidedAndEqualGradesAndAllElseAsTheyAre) {
    StudentScores same = named("x_18");
    const Filled filled = fill("moodle", moodle_file, {same, named("y_17", not_judged()), named("z_170")});
    EXPECT_EQ(filled.text, moodle_file);
    EXPECT_EQ(filled.remarks, (Remarks{"not matched: z_170", "left as it is, since not all was judged: lab3 of y_17"}));
}

TEST(Moodle, ReplacesItsOwnCommentAgain) {
    const std::string once = fill("moodle", moodle_file, {named("x_19")}).text;
    EXPECT_NE(once.find("6 of 10"), std::string::npos);
    EXPECT_EQ(fill("moodle", once, {named("x_19")}).text, once);
    StudentScores later = named("x_19");
    later.labs[0].tests[1] = passed("Lab3.B", 4);
    const std::string twice = fill("moodle", once, {later}).text;
    EXPECT_EQ(twice.find("6 of 10"), std::string::npos);
    EXPECT_NE(twice.find("10 of 10"), std::string::npos);
}

TEST(Moodle, RefusesWhatIsNoWorksheet) {
    const std::string line = "--into: no grading worksheet of Moodle's, or its column of grades can't be told; name it: --column HEADER";
    EXPECT_EQ(refusal("moodle", "a,b\n1,2\n"), line);
    EXPECT_EQ(refusal("moodle", "just a line"), line);
    EXPECT_EQ(refusal("moodle", moodle_file, {ordinary()}, "Grade"), line);
    EXPECT_EQ(refusal("moodle", moodle_file, {ordinary()}, "Bewertung"), "");
    EXPECT_EQ(refusal("moodle", ""), "--into: is empty");
    EXPECT_EQ(refusal("moodle", "a,\"b\n"), "--into: a quotation mark is not closed");
    EXPECT_EQ(refusal("moodle", std::string("\xff\xfe"
                                            "a\0,\0",
                                            6)),
              "--into: no CSV in UTF-8: there are zero bytes in it");
    EXPECT_EQ(refusal("canvas", moodle_file),
              "--into: no gradebook of Canvas's: no column has an assignment's name and number, \"Tiling (17)\"");
}

TEST(Moodle, KeepsSeparatorsLineEndsAndBlankLines) {
    const std::string file =
        "\xef\xbb\xbfIdentifier;Full name;Grade;Maximum Grade\r\nParticipant 17;Ada;\"\";10.00\r\nParticipant 18;\"a;b\";;10.00\r\n\r\n";
    std::string expected = file;
    expected.replace(expected.find("\"\""), 2, "\"6\"");
    const Filled filled = fill("moodle", file, {named("Ada")});
    EXPECT_EQ(filled.text, expected);
    EXPECT_EQ(filled.remarks, Remarks{"no column for comments in it: grades alone"});
}

// --- CSV ---------------------------------------------------------------------------------------------------------

std::string csv_of(const std::vector<StudentScores>& students) { return class_file(format_named("csv"), students); }

TEST(Csv, HasALineForEachStudentAndLab) {
    EXPECT_EQ(csv_of({ordinary(), named("Lovelace, \"Ada\"", partly_undecided()), named("x", not_compiling())}),
              "student,lab,points,max_points,undecided_points,state,passed,tests,why\r\n"
              "Ada_17,lab3,6,10,0,graded,1,2,\"lab3 shared tiling: 6 of 10 points\n\nLab3.B (0/4)\na race\n  at shared_tiling.cu:31\n\"\r\n"
              "\"Lovelace, \"\"Ada\"\"\",lab3,6,12,2,undecided,1,3,\"lab3 shared tiling: 6 of 12 points\n\nLab3.B (0/4)\na race\n"
              "  at shared_tiling.cu:31\n\nLab3.C (0/2)\nnot judged (2 points): the grader itself failed, which is not your mistake\n"
              "no memory\n\"\r\n"
              "x,lab3,0,10,0,does not compile,0,2,\"lab3 shared tiling: 0 of 10 points\nyour file does not compile:\n"
              "  shared_tiling.cu:7:5: error: expected ';'\n\"\r\n");
    EXPECT_NE(csv_of({named("x", not_judged())}).find("x,lab3,0,10,10,undecided,0,2,"), std::string::npos);
}

TEST(Csv, HasNoCellThatASpreadsheetTakesForAFormula) {
    for (const std::string name : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"})
        EXPECT_NE(csv_of({named(name)}).find("\r\n'" + name + ",lab3,"), std::string::npos) << csv_of({named(name)});
    EXPECT_NE(csv_of({named("\r=1")}).find("\r\n\\x0d=1,lab3,"), std::string::npos) << csv_of({named("\r=1")});
    EXPECT_NE(csv_of({named("=\"a\",b")}).find("\r\n\"'=\"\"a\"\",b\",lab3,"), std::string::npos);
    EXPECT_NE(csv_of({named("a=b")}).find("\r\na=b,lab3,"), std::string::npos);
}

TEST(Csv, IsValidTextInCellsThatASpreadsheetTakes) {
    const std::string text = csv_of({hostile(), huge()});
    EXPECT_NO_THROW((void)nlohmann::json(text).dump());  // throws if the bytes are no UTF-8
    EXPECT_LE(text.size(), 2U * 40'000U);
    EXPECT_EQ(text.find('\0'), std::string::npos);
}

}  // namespace
}  // namespace lab::classroom::exports
