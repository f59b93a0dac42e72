#include "common/tools/sample.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

constexpr const char* solution = R"(#include "lab.h"

// Squares.
__global__ void square(float* x) {
    // >>> your code
    const int i = threadIdx.x;  // along the row
    __syncthreads();

    x[i] = x[i] * x[i];
    __syncthreads();
    // <<< your code
}
struct Pair {
    int a;
};
int twice(int n) {
    return 2 * n;
}
int twice(long n) {
    return 2L * n;
}
)";

// The solution with hunks applied, below the claim.
std::string expanded(const std::string& hunks) { return expand(solution, "// accepted: so\n" + hunks, "lab9_x.diff"); }

// The solution below the claim, with `before` replaced by `after`.
std::string with(const std::string& before, const std::string& after) {
    std::string text = solution;
    return "// accepted: so\n" + text.replace(text.find(before), before.size(), after);
}

std::string refusal(const std::string& sample) {
    try {
        (void)expand(solution, sample, "lab9_x.diff");
    } catch (const BadInput& error) {
        return error.what();
    }
    return "no error";
}
std::string refusal_of(const std::string& hunks) { return refusal("// accepted: so\n" + hunks); }

TEST(Sample, RemovesAndAdds) {
    EXPECT_EQ(expanded("@@ square\n-x[i] = x[i] * x[i];\n+    x[i] *= x[i];\n"), with("x[i] = x[i] * x[i]", "x[i] *= x[i]"));
}

TEST(Sample, ContextSaysWhichLineIsMeantAndStays) {
    EXPECT_EQ(expanded("@@ square\n     x[i] = x[i] * x[i];\n-    __syncthreads();\n"),
              with("* x[i];\n    __syncthreads();\n", "* x[i];\n"));
}

TEST(Sample, CommentsBlankLinesAndWhitespaceCountForNothing) {
    EXPECT_EQ(
        expanded("@@ square\n-  const  int i = threadIdx.x;\n-__syncthreads(); // first\n-x[i] = x[i] * x[i];\n+    x[0] = 0;\n"),
        with("    const int i = threadIdx.x;  // along the row\n    __syncthreads();\n\n    x[i] = x[i] * x[i];\n", "\n    x[0] = 0;\n"));
}

TEST(Sample, LinesComeBeforeTheFirstOldOneAndBehindTheOneAbove) {
    EXPECT_EQ(expanded("@@ square\n+int before;\n __global__ void square(float* x) {\n+int after;  // it\n"),
              with("__global__ void square(float* x) {\n", "int before;\n__global__ void square(float* x) {\nint after;  // it\n"));
}

TEST(Sample, AHunkWithoutANameIsAboutTheFile) {
    EXPECT_EQ(expanded("@@\n-#include \"lab.h\"\n+#include \"other.h\"\n"), with("lab.h", "other.h"));
}

TEST(Sample, OverloadsShareAName) {
    EXPECT_EQ(expanded("@@ twice\n-return 2L * n;\n+return n;\n"), with("    return 2L * n;", "return n;"));
}

TEST(Sample, ReplacesAWholeDefinition) {
    EXPECT_EQ(expanded("@@ replace Pair\n+struct Pair {};\n"), with("struct Pair {\n    int a;\n};", "struct Pair {};"));
}

TEST(Sample, HunksReferToTheSolutionInAnyOrder) {
    EXPECT_EQ(expanded("@@ Pair\n-int a;\n+int b;\n\n@@ square\n-x[i] = x[i] * x[i];\n+int a;\n"),
              expanded("@@ square\n-x[i] = x[i] * x[i];\n+int a;\n@@ Pair\n-int a;\n+int b;\n"));
}

TEST(Sample, CommentsBelowTheClaimComeAlong) {
    EXPECT_EQ(expand(solution, "// accepted: so\n// because\n@@ Pair\n-int a;\n", "x").rfind("// accepted: so\n// because\n#include", 0),
              0U);
}

TEST(Sample, ACommentThatChangesInTheSolutionChangesNoSample) {
    std::string other = solution;
    other.replace(other.find("// >>> your code"), 16, "// here\n\n    // and here");
    other.replace(other.find("// along the row"), 16, "");
    const std::string sample = "// accepted: so\n@@ square\n     const int i = threadIdx.x;\n-    __syncthreads();\n";
    EXPECT_NE(expand(other, sample, "x").find("threadIdx.x;  \n\n    x[i]"), std::string::npos);
}

TEST(Sample, WhatIsWrongIsSaidInOneLine) {
    EXPECT_EQ(refusal_of("@@ cube\n-x\n"),
              "lab9_x.diff:2: @@ cube: the solution has no function or struct cube; name one, or none for the file");
    EXPECT_EQ(refusal_of("@@ square\n-int j;\n"),
              "lab9_x.diff:2: @@ square: its lines with ' ' and '-' are not in the solution; they begin with: int j;");
    EXPECT_EQ(refusal_of("@@ Pair\n-int a;\n+int b;\n@@ square\n-__syncthreads();\n"),
              "lab9_x.diff:5: @@ square: its lines with ' ' and '-' are 2 times in the solution; add more of them");
    EXPECT_EQ(refusal_of("@@ square\n+int j;\n"),
              "lab9_x.diff:2: @@ square: has no line of the solution; add one with ' ' or '-' that says where");
    EXPECT_EQ(refusal_of("@@ square\n-// along\n"), "lab9_x.diff:2: @@ square: a line with ' ' or '-' is no code; leave comments out");
    EXPECT_EQ(refusal_of("@@ Pair\n int a;\n"), "lab9_x.diff:2: @@ Pair: changes nothing; add lines with '-' or '+'");
    EXPECT_EQ(refusal_of("@@ Pair\n"), "lab9_x.diff:2: @@ Pair: changes nothing; add lines with '-' or '+'");
    EXPECT_EQ(refusal_of("@@ Pair\n-int a;\n@@\n-int a;\n"),
              "lab9_x.diff:4: @@: another hunk removes a line of it, too; make one hunk of both");
    EXPECT_EQ(refusal_of("@@ replace twice\n+x\n"),
              "lab9_x.diff:2: @@ replace twice: the solution has 2 of that name; use lines with ' ', '-' and '+'");
    EXPECT_EQ(refusal_of("@@ replace Pair\n+x\n y\n"), "lab9_x.diff:2: @@ replace Pair: takes lines with '+' only");
    EXPECT_EQ(refusal_of("@@ Pair\nint a;\n"), "lab9_x.diff:3: a hunk's line begins with ' ', '-' or '+'");
    EXPECT_EQ(refusal_of("int a;\n"), "lab9_x.diff:2: only comments stand before the first hunk");
    EXPECT_EQ(refusal_of(""), "lab9_x.diff: has no hunk (\"@@ FUNCTION\"), so it is the solution itself");
    EXPECT_EQ(refusal("@@ Pair\n-int a;\n"), "lab9_x.diff:1: the first line has to be a claim");
}

TEST(Sample, TheExpectedMessageIsNoPartOfTheProgram) {
    const std::string text = "// rejected-by: so\n@@ Pair\n-int a;\n";
    const std::string all = with_expected(text, "it fails\n\n  @@ there\n");
    EXPECT_EQ(all, text + "== expected message\nit fails\n\n  @@ there\n");
    EXPECT_EQ(read_sample(all).expected, "it fails\n\n  @@ there\n");
    EXPECT_EQ(read_sample(all).claim, "// rejected-by: so");
    EXPECT_EQ(expand(solution, all, "x"), expand(solution, text, "x"));
    EXPECT_EQ(with_expected(all, "other\n"), text + "== expected message\nother\n");
    EXPECT_EQ(read_sample(text).expected, "");
}

// `lab sample` in a project of one lab and two samples.
class LabSample : public testing::Test {
protected:
    LabSample() {
        box_.write("solutions/lab9_squares/squares.cu", solution);
        box_.write("tests/mutants/lab9_no_square.diff", "// rejected-by: Lab9.Squares · reason: wrong\n@@ square\n-x[i] = x[i] * x[i];\n");
        box_.write("tests/accepted/lab9_other.diff", "// accepted: other\n@@ Pair\n-int a;\n+int b;\n");
    }
    [[nodiscard]] Ending sample(const std::string& name = {}) const {
        Command command{{LAB_TOOL, "sample"}, box_.folder().string(), {{"LAB_ROOT", box_.folder().string()}}};
        if (!name.empty()) command.words.push_back(name);
        return run(command);
    }
    Sandbox box_;
};

TEST_F(LabSample, PrintsTheWholeFile) {
    const Ending ending = sample("lab9_other");
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.output, "// accepted: other\n" + with("    int a;", "int b;").substr(std::string("// accepted: so\n").size()));
}

TEST_F(LabSample, ListsAllWithTheirClaims) {
    EXPECT_EQ(sample().output, "lab9_no_square  // rejected-by: Lab9.Squares · reason: wrong\nlab9_other  // accepted: other\n");
}

TEST_F(LabSample, NamesWhatIsNearAnUnknownOne) {
    const Ending ending = sample("lab9_othr");
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: unknown sample 'lab9_othr'; near it: lab9_other, lab9_no_square; all: ./lab sample\n");
}

}  // namespace
}  // namespace lab::tools
