// The data of `lab class report` and its page: their form, that no name is left where names are left out, and that texts stay texts.
#include "common/classroom/class_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "tests/classroom/synthetic_class.h"
#include "tests/classroom/verdicts_in.h"

namespace lab::classroom {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::json;

tools::TestScore test(const std::string& name, double points, std::vector<std::string> failures = {}) {
    tools::TestScore made;
    made.name = name;
    made.group = "correct";
    made.points = points;
    made.earned = failures.empty() ? points : 0;
    made.failures = std::move(failures);
    return made;
}

class ClassPage : public ::testing::Test {
protected:
    ClassPage() : folder_(fs::path(::testing::TempDir()) / fmt::format("class-page-{}", ::getpid())) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~ClassPage() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string database() const { return folder_ / "class.db"; }
    [[nodiscard]] std::string text_of_page(bool without_names) const {
        tools::Project project;
        project.root = LAB_SOURCE_FOLDER;
        const std::string out = folder_ / "class.html";
        ::testing::internal::CaptureStdout();
        EXPECT_EQ(write_page(project, {database(), out, without_names}), 0);
        EXPECT_NE(::testing::internal::GetCapturedStdout().find("class.html: "), std::string::npos);
        return tools::read_whole(out);
    }
    static void keep(Results& results, const Submission& submission, tools::LabScore score) {
        score.lab = submission.lab;
        score.title = "title of " + submission.lab;
        score.seed = "5";
        results.keep({std::move(score), submission.hash(), "1.0", "h100", 86'400});
    }
    fs::path folder_;
};

// The JSON that a page carries.
std::string data_of(const std::string& page) {
    const std::string begin = "id=\"report\">";
    const std::size_t at = page.find(begin) + begin.size();
    return page.substr(at, page.find("</script>", at) - at);
}

// The data of the class below.
Json data_wanted(const std::vector<Submission>& handed_in) {
    const auto verdict = [](double points, const char* states, const char* kind, Json trouble, Json messages, const Submission& of) {
        return Json::array({0, points, states, kind, std::move(trouble), std::move(messages), of.hash().substr(0, 12)});
    };
    return {
        {"schema", 1},
        {"made", {{"class", "autumn"}, {"has_names", true}, {"seed", "5"}, {"device", "h100"}, {"last_graded", "1970-01-02"}}},
        {"students", {"Ada", "Bob", "Eve", "Sue"}},
        {"totals", Json::array()},
        {"labs",
         {{{"name", "lab2"},
           {"title", "title of lab2"},
           {"max_points", 3.0},
           {"tests",
            {{{"name", "Lab2.C"}, {"group", "correct"}, {"points", 1.0}}, {{"name", "Lab2.D"}, {"group", "correct"}, {"points", 2.0}}}}},
          {{"name", "lab10"},
           {"title", "title of lab10"},
           {"max_points", 7.0},
           {"tests",
            {{{"name", "Lab10.A"}, {"group", "correct"}, {"points", 3.0}},
             {{"name", "Lab10.B"}, {"group", "correct"}, {"points", 4.0}}}}}}},
        {"runs", {{{"seed", "5"}, {"sandbox", "user"}, {"version", "1.0"}, {"device", "h100"}}}},
        {"verdicts",
         {verdict(3, "pf", "", nullptr, Json::array({{1, {0, 1}}}), handed_in[0]),
          verdict(0, "u", "", nullptr, Json::array({Json::array({0, {0}})}), handed_in[1]),
          verdict(0, "nn", "not graded", 2, Json::array(), handed_in[3]),
          verdict(0, "cc", "does not compile", 3, Json::array(), handed_in[5]),
          verdict(0, "uu", "undecided", 4, Json::array(), handed_in[6])}},
        {"submissions",
         {{0, 1, 0, "Ada/x.cu"},
          {0, 0, 1, "Ada/y.cu"},
          {1, 1, 0, "Bob/x.cu"},
          {1, 0, 2, "Bob/y.cu"},
          {2, 1, nullptr, "Eve/x.cu"},
          {2, 0, 3, "Eve/y.cu"},
          {3, 0, 4, "Sue/y.cu"}}},
        {"texts", {"wrong\n  at 1", "slow", "y.cu is a link", "error: expected ';'", "the grader died"}}};
}

TEST_F(ClassPage, HasTheFormOfItsReadme) {
    Results results(database());
    const std::vector<Submission> handed_in{{"Ada", "lab10", "Ada/x.cu", "1", ""}, {"Ada", "lab2", "Ada/y.cu", "2", ""},
                                            {"Bob", "lab10", "Bob/x.cu", "1", ""}, {"Bob", "lab2", "Bob/y.cu", "", "y.cu is a link"},
                                            {"Eve", "lab10", "Eve/x.cu", "3", ""}, {"Eve", "lab2", "Eve/y.cu", "4", ""},
                                            {"Sue", "lab2", "Sue/y.cu", "5", ""}};
    results.replace_submissions(handed_in);
    results.set("seed", "5");
    results.set("device", "h100");
    results.set("folder", "/somewhere/autumn");
    tools::LabScore score;
    score.sandbox = "user";
    score.tests = {test("Lab10.A", 3), test("Lab10.B", 4, {"wrong\n  at 1", "slow"})};
    keep(results, handed_in[0], score);
    score.tests = {test("Lab2.C", 1, {"wrong\n  at 1"})};
    score.tests[0].is_undecided = true;
    keep(results, handed_in[1], score);
    score.tests = {test("Lab2.C", 1), test("Lab2.D", 2)};
    score.tests[0].has_run = score.tests[1].has_run = false;
    score.tests[0].earned = score.tests[1].earned = 0;
    score.trouble = "y.cu is a link";
    keep(results, handed_in[3], score);
    score.trouble = "error: expected ';'";
    score.does_not_compile = true;
    keep(results, handed_in[5], score);
    score.trouble = "the grader died";
    score.does_not_compile = false;
    score.is_undecided = true;
    keep(results, handed_in[6], score);

    const Json wanted = data_wanted(handed_in), made = Json::parse(class_page(results).json);
    EXPECT_EQ(made, wanted) << Json::diff(wanted, made).dump(1);
}

TEST_F(ClassPage, HasTheTotalsOfACourse) {
    Results results(database());
    const std::vector<Submission> handed_in{
        {"Ada", "lab1", "", "1", ""}, {"Ada", "lab3", "", "2", ""}, {"Bob", "lab3", "", "2", ""}, {"Eve", "lab3", "", "3", ""}};
    results.replace_submissions(handed_in);
    tools::LabScore score;
    score.tests = {test("Lab1.A", 10)};
    keep(results, handed_in[0], score);
    score.tests = {test("Lab3.A", 3), test("Lab3.B", 1, {"wrong"})};
    keep(results, handed_in[1], score);
    results.set("course", R"({"labs": {"lab1": {"weight": 1}, "lab3": {"weight": 4}, "lab4": {"weight": 3}}})");
    EXPECT_EQ(Json::parse(class_page(results).json)["totals"], (Json{50.0, 37.5, 0.0})) << "1/8 + 3/4 of 4/8, that alone, nothing graded";
    const Json shuffled = Json::parse(class_page(results, 1).json);
    std::multiset<double> totals;
    for (const Json& submission : shuffled["submissions"]) {
        const double total = shuffled["totals"][submission[0].get<std::size_t>()];
        if (submission[1] == 0) {
            EXPECT_EQ(total, 50) << "Ada's, the only one with lab 1";
        }
        totals.insert(total);
    }
    EXPECT_EQ(totals, (std::multiset<double>{0, 37.5, 50, 50}));
}

TEST_F(ClassPage, FiguresOfTestsCountSubmissionsAndFirstLines) {
    Results results(database());
    const std::vector<Submission> handed_in{{"Ada", "lab1", "", "1", ""},
                                            {"Bob", "lab1", "", "1", ""},
                                            {"Eve", "lab1", "", "2", ""},
                                            {"Sue", "lab1", "", "3", ""},
                                            {"Zoe", "lab1", "", "4", ""}};
    results.replace_submissions(handed_in);
    tools::LabScore score;
    score.tests = {test("Lab1.A", 1, {"wrong\n  at 1", "slow"}), test("Lab1.B", 1)};
    keep(results, handed_in[0], score);
    score.tests = {test("Lab1.A", 1, {"late"}), test("Lab1.B", 1)};
    keep(results, handed_in[2], score);
    score.tests[0].has_run = score.tests[1].has_run = false;
    score.trouble = "x.cu:1: error\nmore";
    score.does_not_compile = true;
    keep(results, handed_in[3], score);
    const std::vector<TestFigures> figures = results.tests();
    ASSERT_EQ(figures.size(), 2U);
    using Causes = std::vector<std::pair<std::string, std::size_t>>;
    EXPECT_EQ(figures[0].name, "Lab1.A");
    EXPECT_EQ(std::pair(figures[0].passed, figures[0].failed), (std::pair<std::size_t, std::size_t>(0, 4)));
    EXPECT_EQ(figures[0].causes, (Causes{{"wrong", 2}, {"does not compile", 1}, {"late", 1}}));
    EXPECT_EQ(std::pair(figures[1].passed, figures[1].failed), (std::pair<std::size_t, std::size_t>(3, 1)));
    EXPECT_EQ(figures[1].causes, (Causes{{"does not compile", 1}}));
}

// Words of a text, lower case.
std::set<std::string> words_of(const std::string& text) {
    std::set<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<signed char>(c) < 0;
        if (is_letter) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!is_letter && !word.empty()) words.insert(std::exchange(word, ""));
    }
    return words;
}

TEST_F(ClassPage, WithoutNamesHasNoneAnywhere) {
    Results results(database());
    synthetic::Options options;
    options.students = 24;
    options.labs = 2;
    const std::vector<std::string> names = synthetic::fill(&results, options);
    // Messages that quote what the student wrote, and a copy's.
    std::vector<std::string> hashes;
    for (const Graded& each : all_in(results)) {
        if (!each.verdict) continue;
        hashes.push_back(each.hash.substr(0, 8));
        Verdict verdict = *each.verdict;
        if (each.student == names[3]) {  // what can't be graded, for a reason that names files
            verdict.score.does_not_compile = verdict.score.is_undecided = false;
            verdict.score.trouble =
                fmt::format("two files of {}: 12345_{}/a.cu and 12345_{}/b.cu; keep one", each.lab, each.student, each.student);
            for (tools::TestScore& each_test : verdict.score.tests) each_test.has_run = false;
        }
        if (!verdict.score.tests.empty() && verdict.score.tests[0].has_run && each.lab == "lab1")
            verdict.score.tests[0].failures = {fmt::format("line [sum += x; // by {}]\n  as {} told me\n  kernel_{}_2", each.student,
                                                           names.front(), each.student.substr(0, each.student.find(' ')))};
        if (verdict.score.does_not_compile) verdict.score.trouble += "\n// " + each.student;
        results.keep(verdict);
    }
    const std::string with = text_of_page(false), without = text_of_page(true);
    const std::set<std::string> words = words_of(without);
    for (const std::string& name : names) {
        EXPECT_NE(with.find(name), std::string::npos) << name;
        EXPECT_EQ(without.find(name), std::string::npos) << name;
        for (const std::string& word : words_of(name)) EXPECT_TRUE(word.size() < 2 || words.count(word) == 0) << word << " of " << name;
    }
    for (const std::string& hash : hashes) {
        EXPECT_NE(with.find(hash), std::string::npos) << hash;
        EXPECT_EQ(without.find(hash), std::string::npos) << hash;
    }
    for (const char* const other : {"matmul_global.cu/", "cpu_baseline.cpp/", "/home", "keep one", "12345_"})
        EXPECT_EQ(data_of(without).find(other), std::string::npos) << other;
    EXPECT_EQ(Json::parse(data_of(without))["made"]["class"], "");
    EXPECT_NE(without.find("sum += x; // by student "), std::string::npos);
    EXPECT_EQ(Json::parse(data_of(without))["students"].size(), names.size());
}

// Each list in the order in which students, and nothing else, lead to it.
TEST_F(ClassPage, WithoutNamesFollowsTheOrderOfTheNumbersAlone) {
    Results results(database());
    synthetic::Options options;
    options.students = 20;
    options.labs = 1;
    (void)synthetic::fill(&results, options);
    const auto with = [&](std::uint64_t shuffle) { return Json::parse(class_page(results, shuffle).json); };
    const Json one = with(1), again = with(1), other = with(2);
    EXPECT_EQ(one, again);
    EXPECT_NE(one["verdicts"], other["verdicts"]);
    constexpr std::size_t trouble = 4, messages = 5;  // of a verdict
    for (const Json& page : {one, other}) {
        int next_student = 0, next_verdict = 0, next_text = 0;
        const auto follows = [](const Json& number, int& next) {
            EXPECT_LE(number.get<int>(), next);
            next = std::max(next, number.get<int>() + 1);
        };
        for (const Json& submission : page["submissions"]) {
            follows(submission[0], next_student);
            if (!submission[2].is_null()) follows(submission[2], next_verdict);
        }
        for (const Json& verdict : page["verdicts"]) {
            for (const Json& message : verdict[messages])
                for (const Json& text : message[1]) follows(text, next_text);
            if (!verdict[trouble].is_null()) follows(verdict[trouble], next_text);
        }
        EXPECT_EQ(page["students"][0], "student 1");
    }
}

TEST_F(ClassPage, HoldsHostileTextsAsData) {
    const std::string hostile =
        "</script><script>alert(1)</script><!-- {{title}} {{report}} {{nonce}} {{file class.js}} \xe2\x80\xa8 \x01 ]]> & \"'";
    Results results(database());
    const Submission submission{"<b>\xe2\x80\xa8" + hostile, "lab1", hostile, "1", ""};
    results.replace_submissions({submission});
    results.set("folder", "/x/<script>alert(1)</script>");
    tools::LabScore score;
    score.tests = {test("Lab1.A", 1, {hostile + "\n\xff\xfe invalid"})};
    keep(results, submission, score);
    const std::string page = text_of_page(false);
    std::size_t scripts = 0;
    for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1)) ++scripts;
    EXPECT_EQ(scripts, 2U) << "the data and the page's own";
    const std::string data = data_of(page);
    EXPECT_EQ(data.find('<'), std::string::npos) << data;
    const Json json = Json::parse(data);
    EXPECT_EQ(json["students"][0], submission.student);
    EXPECT_EQ(json["submissions"][0][3], hostile);
    EXPECT_EQ(json["texts"][0], hostile + "\n\xef\xbf\xbd\xef\xbf\xbd invalid");
    EXPECT_NE(page.find("<title>Class: script&gt;</title>"), std::string::npos) << "the folder's last component, escaped";
}

TEST_F(ClassPage, NeedsAClass) {
    tools::Project project;
    project.root = LAB_SOURCE_FOLDER;
    EXPECT_THROW((void)write_page(project, {database(), folder_ / "class.html", false}), tools::BadInput) << "no database";
    { const Results made(database()); }
    EXPECT_THROW((void)write_page(project, {database(), folder_ / "class.html", false}), tools::BadInput) << "nothing handed in";
    EXPECT_FALSE(fs::exists(folder_ / "class.html"));
}

}  // namespace
}  // namespace lab::classroom
