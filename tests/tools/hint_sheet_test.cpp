// The hints' format, and rules for the shipped hints.
#include "common/tools/hint_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

const fs::path root = LAB_SOURCE_FOLDER;

fs::path sheet_of(const Lab& lab) { return root / "tests/labs" / (lab.name() + "_hints.md"); }

std::set<std::string> tests_of(const Lab& lab) {
    static const std::regex test(R"(TEST(?:_F)?\((\w+),\s*(\w+)\))");
    static const std::regex file(R"((lab\d+)_test(?:_\w+)?\.cpp)");
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(root / "tests/labs")) {
        const std::string name = entry.path().filename();
        std::smatch parts;
        if (!std::regex_match(name, parts, file) || parts[1] != lab.name()) continue;
        const std::string suite = read_whole(entry.path());
        for (std::sregex_iterator at(suite.begin(), suite.end(), test), end; at != end; ++at)
            names.insert((*at)[1].str() + "." + (*at)[2].str());
    }
    return names;
}

TEST(Hints, ThereAreThreeForEveryTestOfEverySuiteAndNoneForOthers) {
    const std::vector<Lab> labs = labs_in(root / "labs");
    ASSERT_FALSE(labs.empty());
    for (const Lab& lab : labs) {
        std::set<std::string> wanted = tests_of(lab);
        ASSERT_FALSE(wanted.empty()) << lab.name();
        wanted.insert(does_not_compile);
        std::set<std::string> written;
        for (const HintSection& section : read_hints(sheet_of(lab))) {
            written.insert(section.about);
            const auto general =
                std::count_if(section.hints.begin(), section.hints.end(), [](const Hint& hint) { return hint.when.empty(); });
            EXPECT_GE(general, 3) << lab.name() << ": " << section.about << " needs three hints that fit whatever the failure says";
        }
        EXPECT_EQ(written, wanted) << lab.name();
    }
}

// The identifier that code has for a topic.
std::string identifier_of(diagnosis::Topic topic) {
#define LAB_IDENTIFIER(enumerator, name) #enumerator,
    static const std::vector<std::string> identifiers{LAB_TOPICS(LAB_IDENTIFIER)};
#undef LAB_IDENTIFIER
    return identifiers.at(static_cast<std::size_t>(topic));
}

// A condition that holds for no failure would hide its hint for ever.
TEST(Hints, ConditionsAreTopicsThatSomeFailureHas) {
    std::string code;
    for (const char* folder : {"common/diagnosis", "common/grading", "common/runner", "common/emulator", "common/tools", "tests/labs"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension();
            if (extension == ".cpp" || extension == ".h") code += read_whole(entry.path());
        }
    }
    int conditions = 0;
    for (const Lab& lab : labs_in(root / "labs")) {
        for (const HintSection& section : read_hints(sheet_of(lab))) {
            for (const Hint& hint : section.hints) {
                conditions += hint.when.empty() ? 0 : 1;
                for (const diagnosis::Topic topic : hint.when) {
                    const std::string name = identifier_of(topic);
                    const bool is_set =
                        code.find("Topic::" + name) != std::string::npos || code.find("FindingKind::" + name) != std::string::npos;
                    EXPECT_TRUE(is_set) << section.about << ": " << name;
                }
            }
        }
    }
    EXPECT_GT(conditions, 100);
}

// The lines that a student writes, without blanks; lines of a few characters are too common to count.
std::set<std::string> solution_lines(const Lab& lab) {
    std::set<std::string> lines;
    bool inside = false;
    for (std::string line : lines_of(read_whole(root / "solutions" / lab.folder / lab.file))) {
        if (line.find("// >>>") != std::string::npos || line.find("// <<<") != std::string::npos) {
            inside = line.find("// >>>") != std::string::npos;
        } else if (inside) {
            line.erase(std::remove(line.begin(), line.end(), ' '), line.end());
            if (line.size() > 15) lines.insert(line);
        }
    }
    return lines;
}

TEST(Hints, HoldNoLineOfASolution) {
    for (const Lab& lab : labs_in(root / "labs")) {
        std::string hints = read_whole(sheet_of(lab));
        hints.erase(std::remove_if(hints.begin(), hints.end(), [](char c) { return c == ' ' || c == '\n'; }), hints.end());
        const std::set<std::string> lines = solution_lines(lab);
        ASSERT_FALSE(lines.empty());
        for (const std::string& line : lines) EXPECT_EQ(hints.find(line), std::string::npos) << lab.name() << ": " << line;
    }
}

TEST(HintSheet, ReadsSectionsConditionsAndParagraphs) {
    const Sandbox box;
    const auto sheet =
        read_hints(box.write("x.md",
                             "# Title\n1. not a hint\n\n## Lab3.A\n\n1. One\n   goes on.\n2. [when: race, shared memory] Two.\n\n"
                             "   Second paragraph.\n\n## Lab3.B\n\n1. Three.\n"));
    ASSERT_EQ(sheet.size(), 2U);
    ASSERT_EQ(sheet[0].hints.size(), 2U);
    EXPECT_EQ(sheet[0].hints[0].text, "One goes on.");
    EXPECT_EQ(sheet[0].hints[1].when, (std::set{diagnosis::Topic::race, diagnosis::Topic::shared_memory}));
    EXPECT_EQ(sheet[0].hints[1].text, "Two.\n\nSecond paragraph.");
    EXPECT_EQ(sheet[1].about, "Lab3.B");
    using diagnosis::Topic;
    EXPECT_EQ(fitting(sheet, "Lab3.A", {}).size(), 1U);
    EXPECT_EQ(fitting(sheet, "Lab3.A", {Topic::race, Topic::global_memory}).size(), 1U) << "both have to hold";
    EXPECT_EQ(fitting(sheet, "Lab3.A", {Topic::race, Topic::in_kernel, Topic::shared_memory}).size(), 2U);
    EXPECT_TRUE(fitting(sheet, "Lab3.C", {}).empty());
}

TEST(HintSheet, RefusesWhatItWouldMisread) {
    const Sandbox box;
    const std::vector<std::pair<std::string, std::string>> cases{
        {"## A\n1. One.\n3. Three.\n", "x.md:3: expected hint 2"},
        {"## A\n1. One.\nnot indented\n", "x.md:3: neither"},
        {"## A\n## B\n1. One.\n", "x.md:2: no hints for A"},
        {"## A\n1. One.\n\n## A\n1. Two.\n", "x.md:4: a second section for A"},
        {"## A\n", "x.md:1: no hints for A"},
        {"## A\n1. [when: rice] One.\n", "x.md:2: no failure is about 'rice'; common/diagnosis/topic.h has the topics"},
        {"## A\n1. [when: race,shared memory] One.\n", "x.md:2: no failure is about 'race,shared memory'"},
        {"## A\n1. [when: ] One.\n", "x.md:2: no failure is about ''"},
    };
    for (const auto& [text, complaint] : cases) {
        try {
            (void)read_hints(box.write("x.md", text));
            ADD_FAILURE() << "was taken: " << text;
        } catch (const BadInput& problem) {
            EXPECT_NE(std::string(problem.what()).find(complaint), std::string::npos) << problem.what();
        }
    }
}

TEST(HintSheet, WrapsByCharactersNotBytes) {
    EXPECT_EQ(wrapped("aaa bbb ccc", 2, 9), "  aaa bbb\n  ccc\n");
    EXPECT_EQ(wrapped("äää bbb ccc", 2, 9), "  äää bbb\n  ccc\n");
    EXPECT_EQ(wrapped("one\n\ntwo", 1, 80), " one\n\n two\n");
    EXPECT_EQ(wrapped("unbreakable", 2, 5), "  unbreakable\n");
}

}  // namespace
}  // namespace lab::tools
