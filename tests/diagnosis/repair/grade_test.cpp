// The line of the search in a grade, from the student's file to the first screen.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "tests/diagnosis/repair/failed_call.h"
#include "tests/tools/sandbox.h"

namespace lab::repair {
namespace {

class SearchInAGrade : public testing::Test {
protected:
    // Grades a solution with another text in place of one of its own; one test.
    tools::Ending grade(int lab, const std::string& filter, const std::string& text, const std::string& other, const std::string& seconds,
                        const std::string& sandbox = "never") {
        const auto solution = solution_of(lab);
        std::string source = text_of(solution);
        const std::size_t at = source.find(text);
        EXPECT_NE(at, std::string::npos) << text;
        const auto file = box_.write(solution.filename(), source.replace(at, text.size(), other));
        const std::string tool = LAB_BUILD_FOLDER "/bin/lab-tool";
        tools::Ending ending = tools::run({{tool, "grade", "lab" + std::to_string(lab), "--from", file.string(), "--filter", filter,
                                            "--sandbox", sandbox, "--search", seconds, "--json", json()}});
        const auto graded = tools::read_json(json());
        test_ = graded.is_object() ? graded.at("labs").at(0).at("tests").at(0) : nlohmann::json();
        return ending;
    }
    tools::Ending grade(const std::string& text, const std::string& other, const std::string& seconds,
                        const std::string& sandbox = "never") {
        return grade(3, "*MatchesReferenceWithTile16", text, other, seconds, sandbox);
    }
    [[nodiscard]] std::string cause() const { return test_.value("cause", "none"); }
    [[nodiscard]] const nlohmann::json& test() const { return test_; }

private:
    [[nodiscard]] std::string json() const { return (box_.folder() / "grade.json").string(); }
    tools::Sandbox box_;
    nlohmann::json test_;
};

constexpr const char* load = "N[(start + threadIdx.y) * W + col]";
constexpr const char* wrong_load = "N[(start + threadIdx.x) * W + col]";

TEST_F(SearchInAGrade, NamesTheLineAndTheKindButNotTheEdit) {
    const std::string printed = grade(load, wrong_load, "60").output;
    EXPECT_EQ(cause(), "line 28: threadIdx.x is of the wrong axis: x and y are mixed up");
    EXPECT_NE(printed.find("\n      likely cause: line 28: threadIdx.x is of the wrong axis: x and y are mixed"), std::string::npos)
        << printed;
    EXPECT_EQ(printed.find(load), std::string::npos) << printed;
    ASSERT_EQ(test().at("edits").size(), 1U);
    EXPECT_EQ(test().at("edits")[0].at("text"), "threadIdx.x");
    EXPECT_NE(test().at("edits")[0].at("to").get<std::string>().find(load), std::string::npos) << test();
}

TEST_F(SearchInAGrade, CompilesInTheSandbox) {
    (void)grade(load, wrong_load, "60", "always");
    EXPECT_EQ(cause(), "line 28: threadIdx.x is of the wrong axis: x and y are mixed up");
}

TEST_F(SearchInAGrade, IsLeftOutIfAskedTo) {
    const std::string printed = grade(load, wrong_load, "0").output;
    EXPECT_EQ(cause(), "");
    EXPECT_EQ(printed.find("likely cause"), std::string::npos) << printed;
}

TEST_F(SearchInAGrade, EditsFunctionsOfTheHost) {
    (void)grade(1, "*MatvecMatchesReferenceAtAnyShape", "column[i] * x[j]", "column[i] * x[i]", "60");
    EXPECT_NE(cause().find("another index belongs in the place of i"), std::string::npos) << cause();
    (void)grade(2, "*MatmulOnDeviceMatchesReference", "cudaMemcpy(N_device, N,", "cudaMemcpy(N_device, M,", "60", "always");
    EXPECT_EQ(cause(), "line 51: another array belongs in the place of M");
    (void)grade(4, "*MatmulConstantMatchesReferenceInBandsOfAnySize", "C + size_t(first) * n", "C + size_t(first) * k", "60");
    EXPECT_EQ(cause(), "line 261: another size belongs in the place of k");
}

TEST_F(SearchInAGrade, EditsWhatAFunctionOfTheHostCalls) {
    (void)grade(4, "*MatvecAnyMatchesReferenceAtAnyShape", "return (elements + tile - 1) / tile;", "return elements / tile;", "60");
    EXPECT_EQ(cause(), "line 17: this division rounds down");
}

TEST_F(SearchInAGrade, MakesCrashedCallsOfTheHostAgain) {
    (void)grade(1, "*MatmulIkjMatchesReference", "row[j] += m * n[j];", "row[j + inner] += m * n[j];", "60");
    EXPECT_EQ(cause(), "line 48: inner does not belong here");
}

// A block that is too large says so, and an edit may avoid it in many ways.
TEST_F(SearchInAGrade, LeavesImpossibleLaunchesAlone) {
    (void)grade(2, "*MatmulOnDeviceMatchesReference", "block(16, 16)", "block(64, 64)", "60");
    EXPECT_EQ(cause(), "");
}

// The values are right there; what the edit has to mend is what the test counts.
TEST_F(SearchInAGrade, WantsTheCountsThatATestAsksFor) {
    (void)grade(5, "*PaddingRemovesTheBankConflicts", "tile[tile_side][tile_side + 1]", "tile[tile_side][tile_side]", "60");
    EXPECT_EQ(cause(), "line 143: rows of tile need a word of padding");
}

// A kernel that is right is not searched. Where no single edit mends one, only what lies between its reads and its store is wrong.
TEST_F(SearchInAGrade, SaysNothingWithoutARepair) {
    EXPECT_EQ(grade(load, load, "60").output.find("likely cause"), std::string::npos);
    EXPECT_EQ(cause(), "");
    (void)grade("P[row * W + col] = sum;", "P[row * W + col] = sum * sum + 3 * row - 7 * col;", "5");
    EXPECT_TRUE(cause().starts_with("lines 31 to 35: thread (0,0,0) of block (0,0,0) reads the elements that P[0][0] needs, and no others"))
        << cause();
}

TEST_F(SearchInAGrade, ComparesWithTheSolutionWithoutARepair) {
    const std::string other_tile = "N[row * W + start + threadIdx.x]";
    const std::string told =
        "line 28: in iteration 2 thread (0,0,0) of block (0,0,0) loads N[0][16]; the block needs N[16][0], which none of its threads loads "
        "(at W=48 tile=16)";
    (void)grade(load, other_tile, "5");
    EXPECT_EQ(cause(), told);
    EXPECT_TRUE(test().at("edits").empty()) << test();
    (void)grade(load, other_tile, "0");
    EXPECT_EQ(cause(), "");
    // The limit is exceeded at once.
    (void)grade(4, "*MatvecAnyMatchesReferenceAtAnyShape", "start < cols; start += block) {\n        const int col",
                "start + block <= cols; start += block) {\n        const int col", "0.01");
    EXPECT_NE(cause().find(": no thread of block (0,0,0) loads A["), std::string::npos) << cause();
    (void)grade(5, "*NaiveRowTransposesAnyShape", "out[x * ny + y] = in[y * nx + x]", "out[y * nx + x] = in[y * nx + x]", "0.01");
    EXPECT_NE(cause().find(" stores to out["), std::string::npos) << cause();
}

}  // namespace
}  // namespace lab::repair
