// Whole searches: a wrong text of a solution, compiled as for grading, its failed call replayed with each edit.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/diagnosis/repair/tokens.h"
#include "tests/diagnosis/repair/failed_call.h"
#include "tests/diagnosis/repair/known_calls.h"
#include "tests/mutants/machine/generate.h"

namespace lab::repair {
namespace {

// The machine-made mutant of a kind in whose line `after` stands.
mutants::Mutant mutant_of(int lab, const std::string& kind, const std::string& before, const std::string& after) {
    const std::vector<mutants::Mutant> all = mutants::all_mutants("kernel", text_of(solution_of(lab)));
    const auto found = std::find_if(all.begin(), all.end(), [&](const mutants::Mutant& one) {
        return one.identity.kind == kind && one.identity.before.find(before) != std::string::npos &&
               one.identity.after.find(after) != std::string::npos;
    });
    if (found == all.end()) throw std::out_of_range(kind);
    return *found;
}

// Searches without a limit on time, since other work may slow it down.
Search search(const mutants::Mutant& mutant, const KnownKernel& kernel) {
    constexpr double long_enough = 60;
    return search_repairs(mutant.text, kernel.name, kernel.instance, kernel.calls, long_enough);
}

void expect_told(const mutants::Mutant& mutant, const std::string& kernel, const std::string& what) {
    const Search result = search(mutant, known_kernel(kernel));
    ASSERT_FALSE(result.repairs.empty()) << mutant.identity.shown() << ": " << result.tried << " tried";
    EXPECT_EQ(told(result.repairs), "line " + std::to_string(mutant.line) + ": " + what);
    std::printf("%s: %.2f s, %zu tried\n", mutant.identity.kind.c_str(), result.seconds, result.tried);
}

TEST(Search, NamesExchangedIndices) {
    expect_told(mutant_of(5, "index pair exchanged", "out[x * ny + y] = in[y * nx + x]", "in[x * nx + y]"), "naive_row",
                "two indices of this load are exchanged");
}

TEST(Search, NamesAWrongComparison) {
    expect_told(mutant_of(2, "comparison off by one", "k < W", "k <= W"), "matmul_global",
                "this <= compares with one too many or one too few");
}

TEST(Search, NamesASign) {
    expect_told(mutant_of(3, "sign changed", "blockIdx.x * TILE + threadIdx.x", "blockIdx.x * TILE - threadIdx.x"), "matmul_tiled",
                "the wrong one of + and -");
}

TEST(Search, LeavesAloneWhatItCantRead) {
    const KnownKernel& kernel = known_kernel("naive_row");
    std::string text = text_of(solution_of(5));
    const std::string statement = "out[x * ny + y] = in[y * nx + x];";
    const std::size_t at = text.find(statement, text.find("void naive_row"));
    text.replace(at, statement.size(), "const auto move = [&] { out[x * ny + y] = in[x * nx + y]; }; move();");
    const Search result = search_repairs(text, kernel.name, kernel.instance, kernel.calls, 60);
    EXPECT_TRUE(result.repairs.empty()) << result.repairs.front().edit.phrase;
    EXPECT_EQ(told(result.repairs), "");
}

TEST(Search, EndsAtItsLimit) {
    const KnownKernel& kernel = known_kernel("naive_row");
    const mutants::Mutant mutant = mutant_of(5, "index pair exchanged", "out[x * ny + y] = in[y * nx + x]", "in[x * nx + y]");
    const Search result = search_repairs(mutant.text, kernel.name, kernel.instance, kernel.calls, 0.001);
    EXPECT_TRUE(result.is_over_limit);
    EXPECT_LT(result.tried, 3U);
}

TEST(Search, SaysNothingIfRepairsDisagree) {
    const auto repair = [](unsigned line, const char* phrase = "a mistake") {
        return Repair{{.kind = "x for y", .phrase = phrase, .line = line}, ""};
    };
    EXPECT_EQ(told({}), "");
    EXPECT_EQ(told({repair(7), repair(7)}), "line 7: a mistake");
    EXPECT_EQ(told({repair(7), repair(9)}), "line 7: a mistake, or line 9: a mistake");
    EXPECT_EQ(told({repair(9), repair(7)}), "line 9: a mistake, or line 7: a mistake");
    EXPECT_EQ(told({repair(9), repair(7), repair(11)}), "line 7, 9 or 11: a mistake");
    EXPECT_EQ(told({repair(7), repair(9), repair(11, "another one")}), "");
    EXPECT_EQ(told({repair(7), repair(9), repair(11), repair(12), repair(13)}), "");
}

TEST(Variants, AreRejectedByTheLinesOfErrors) {
    const std::string source = "\n__global__ void f(float* out, int n) {\n    out[n] = 1;\n}\n";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 1U);
    const Subject subject(source, *functions.front());
    const std::vector<Edit> edits = edits_of(subject);
    ASSERT_GT(edits.size(), 2U);
    const Variants variants(subject, {"_Z1fPfi"}, std::vector<const Edit*>{edits.data(), &edits[1], &edits[2]}, functions);
    const std::size_t second = variants.text().find("namespace edit_1 {");
    ASSERT_NE(second, std::string::npos);
    const auto rejected_at = [&](unsigned line) {
        return variants.rejected("/a/b.cu:" + std::to_string(line) + ":5: error: no\n/a/b.cu:1:1: note: because\n");
    };
    const unsigned line = line_of(variants.text(), second);
    ASSERT_EQ(rejected_at(line).size(), 1U);
    EXPECT_EQ(rejected_at(line)[0], &edits[1]);
    ASSERT_EQ(rejected_at(line - 1).size(), 1U);
    EXPECT_EQ(rejected_at(line - 1)[0], &edits[1]) << "the empty line before it";
    ASSERT_EQ(rejected_at(line - 2).size(), 1U);
    EXPECT_EQ(rejected_at(line - 2)[0], &edits[0]) << "its closing brace";
    EXPECT_TRUE(rejected_at(1).empty());
    const std::string ptx =
        ".version 6.0\n.visible .entry _ZN6edit_01fEPfi(\n)\n{\nret;\n}\n.visible .entry _ZN6edit_11fEPfi(\n)\n{\nbra;\n}\n";
    EXPECT_EQ(variants.alone(ptx, edits[1]), ".version 6.0\n.visible .entry _Z1fPfi(\n)\n{\nbra;\n}\n");
    EXPECT_EQ(variants.alone(ptx, edits[2]), "");
}

TEST(Variants, OfTheHostAreChosenByNumberAndKeepWhatFollows) {
    const std::string source =
        "template <typename T>\nint f(const T* a, int n) {\n    return n + 1;\n}\ntemplate int f<float>(const float*, int);\n";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 1U);
    const Subject subject(source, *functions.front());
    const std::vector<Edit> edits = edits_of(subject);
    ASSERT_GT(edits.size(), 1U);
    const Variants variants(subject, {"f"}, std::vector<const Edit*>{edits.data(), &edits[1]}, functions);
    EXPECT_NE(variants.text().find("case 1: return edit_1::f(a, n);"), std::string::npos) << variants.text();
    EXPECT_TRUE(variants.text().ends_with("template int f<float>(const float*, int);\n")) << variants.text();
    EXPECT_EQ(variants.alone("/x/program", edits[1]), "/x/program 1");
}

TEST(Search, EditsWhatAKernelCalls) {
    const KnownKernel& kernel = known_kernel("diagonal_row");
    std::string text = text_of(solution_of(6));
    const std::string right = "make_uint2(col, row)";
    const std::size_t at = text.find(right);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, right.size(), "make_uint2(row, col)");
    const Search result = search_repairs(text, kernel.name, kernel.instance, kernel.calls, 60);
    const std::string said = told(result.repairs);
    EXPECT_TRUE(said.starts_with("line " + std::to_string(line_of(text, at)) + ": two arguments of make_uint2 are exchanged")) << said;
}

// A solution's text with `wrong` in place of `right` in the function `kernel`.
struct Wrong {
    Wrong(int lab, const std::string& kernel, const std::string& right, const std::string& wrong) : text(text_of(solution_of(lab))) {
        at = text.find(right, text.find("void " + kernel + "("));
        text.replace(at, right.size(), wrong);
    }
    std::string text;
    std::size_t at = 0;  // where `wrong` begins
    [[nodiscard]] std::string told_of(const std::string& name) const {
        const KnownKernel& kernel = known_kernel(name);
        return told(search_repairs(text, kernel.name, kernel.instance, kernel.calls, 60).repairs);
    }
};

TEST(Search, NamesTheSameMistakeAtTwoPlaces) {
    const Wrong wrong(2, "matmul_global", "N[k * W + col];\n        }\n        P[row * W",
                      "N[k * gridDim.x + col];\n        }\n        P[row * gridDim.x");
    const unsigned line = line_of(wrong.text, wrong.at);
    EXPECT_EQ(
        wrong.told_of("matmul_global"),
        "line " + std::to_string(line) + ": another size belongs in the place of gridDim.x, and so in line " + std::to_string(line + 2));
}

TEST(Search, NamesAReturnOfThreadsThatAreNeeded) {
    const std::string right = "const int top = blockIdx.x * tile_side;\n";
    const Wrong wrong(5, "smem", right, right + "if (left + threadIdx.x >= nx || top + threadIdx.y >= ny) { return; }\n");
    const unsigned line = line_of(wrong.text, wrong.at) + 1;
    EXPECT_EQ(wrong.told_of("smem"), "line " + std::to_string(line) + ": threads return here that have more to do");
}

TEST(Edits, LeaveGivenTextAlone) {
    const std::string source =
        "void given(int n) { use(n + 1); }\nvoid own(int n) {\n// >>> your code\nuse(n + 1);\n// <<< your code\nuse(n + 1);\n}\n";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 2U);
    EXPECT_TRUE(edits_of(Subject(source, *functions[0])).empty());
    const std::vector<Edit> edits = edits_of(Subject(source, *functions[1]));
    EXPECT_FALSE(edits.empty());
    for (const Edit& edit : edits) EXPECT_EQ(edit.line, 4U) << edit.phrase;
}

TEST(Search, KnowsWhatLaunchesAKernel) {
    const std::string source =
        "__global__ void k(int* a) { a[0] = 1; }\nvoid other(int* a) { k2<<<1, 2>>>(a); }\n"
        "void launch(int* a) { const dim3 grid(1); if (a) k<16><<<grid, dim3(2, 3)>>>(a); }\n";
    EXPECT_EQ(launcher_of(source, "k"), "launch");
    EXPECT_EQ(launcher_of(source, "k2"), "other");
    EXPECT_EQ(launcher_of(source, "k3"), "");
}

}  // namespace
}  // namespace lab::repair
