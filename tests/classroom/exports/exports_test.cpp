#include "common/classroom/exports/exports.h"

#include <gtest/gtest.h>

#include <set>

#include "common/tools/errors.h"
#include "tests/classroom/exports/made_up_scores.h"

namespace lab::classroom::exports {
namespace {

TEST(Exports, EachFormatHasOneFunctionAndANameOfItsOwn) {
    std::set<std::string> names;
    for (const Format& each : formats()) {
        names.insert(each.name);
        EXPECT_EQ((each.of_student != nullptr) + (each.of_class != nullptr) + (each.fill_in != nullptr), 1) << each.name;
        EXPECT_EQ(each.of_student != nullptr, *each.file != '\0') << each.name;
    }
    EXPECT_EQ(names, (std::set<std::string>{"gradescope", "classroom50", "prairielearn", "autolab", "submitty", "junit",
                                            "github-annotations", "github-summary", "canvas", "moodle", "csv"}));
    EXPECT_EQ(names.size(), formats().size());
    EXPECT_THROW((void)format_named("grades"), tools::BadInput);
}

TEST(Exports, FoldersHaveTheStudentsNamesWhereTheseAreSafe) {
    for (const char* const name : {"Ada", "Ada Lovelace_17", "\u0410\u0434\u0430", "o'brien", "a.b"}) EXPECT_EQ(folder_name(name), name);
}

TEST(Exports, FoldersOfOtherNamesAreSafeAndDiffer) {
    const std::string longest(300, 'a');
    const std::vector<std::string> names{"",
                                         ".",
                                         "..",
                                         "../x",
                                         "a/b",
                                         "a\\b",
                                         "a_b",
                                         "a:b",
                                         longest,
                                         longest + "b",
                                         "-rf",
                                         "_rf",
                                         "con. ",
                                         "a\nb",
                                         "\xff",
                                         "~",
                                         "a~b",
                                         std::string(99, 'a') + "\u20ac",
                                         "Ada",
                                         "a?b",
                                         folder_name("a/b")};
    std::set<std::string> folders;
    for (const std::string& name : names) {
        const std::string folder = folder_name(name);
        EXPECT_EQ(folder.find_first_of(std::string("/\\:*?\"<>|\n\0", 11)), std::string::npos) << folder;
        EXPECT_FALSE(folder.empty() || folder.front() == '.' || folder.front() == '-' || folder.back() == '.' || folder.back() == ' ')
            << folder;
        EXPECT_LE(folder.size(), 140U) << folder;
        folders.insert(folder);
    }
    EXPECT_EQ(folders.size(), names.size());
}

TEST(Exports, TextsAreShortenedAtCharacters) {
    EXPECT_EQ(shortened("abc", 3), "abc");
    EXPECT_EQ(shortened(std::string(30, 'a'), 20), "aaaa ... (shortened)");
    std::string euros;
    for (int i = 0; i < 20; ++i) euros += "\u20ac";
    EXPECT_EQ(shortened(euros, 20), "\u20ac ... (shortened)");
    EXPECT_EQ(shortened(euros, 4), "\u20ac");
    EXPECT_EQ(shortened(euros, 0), "");
}

TEST(Exports, SayWhyATestWasNotJudged) {
    const StudentScores partly = partly_undecided(), none = not_judged();
    EXPECT_EQ(text_of(partly.labs[0], partly.labs[0].tests[2]),
              "not judged (2 points): the grader itself failed, which is not your mistake\nno memory");
    EXPECT_EQ(text_of(none.labs[0], none.labs[0].tests[0]), "not judged (6 points): the grader itself failed, which is not your mistake");
    EXPECT_EQ(remarks_of(partly),
              "lab3: 2 points could not be judged, since the grader itself failed. They are not lost: ask for a new grading.\n");
    EXPECT_EQ(text_of(not_compiling().labs[0], not_compiling().labs[0].tests[0]), "did not run: your file does not compile:");
}

}  // namespace
}  // namespace lab::classroom::exports
