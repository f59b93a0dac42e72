// Each kind of mistake on a minimal text.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/tools/errors.h"
#include "tests/mutants/machine/tally.h"

namespace lab::mutants {
namespace {

using Lines = std::vector<std::string>;

std::string in_region(const std::string& code) { return "outside < 1;\n// >>> your code\n" + code + "\n// <<< your code\noutside < 1;\n"; }

// Results of one kind of mutation on a line (or several), in order.
Lines made(const std::string& kind, const std::string& code) {
    const std::string file = in_region(code);
    Lines after;
    for (const Mutant& mutant : all_mutants("lab9/x.cu", file)) {
        if (mutant.identity.kind != kind) continue;
        const std::string opening = "// >>> your code\n";
        const std::size_t start = mutant.text.find(opening) + opening.size();
        after.push_back(mutant.text.substr(start, mutant.text.find("\n// <<< your code") - start));
        EXPECT_EQ(mutant.text, in_region(after.back())) << "changed outside the region";
    }
    return after;
}

TEST(Tokens, LeaveOutCommentsAndKeepTextsWhole) {
    const std::string text = "a<<<b, 1.5e-3f>>>(c) /* < */ \"x < \\\" y\" // 1 < 2\n#define M 1 < 2\nd->e++";
    Lines words;
    for (const Token& token : tokens_of(text, 0, text.size())) words.push_back(token.text);
    EXPECT_EQ(words, (Lines{"a", "<<<", "b", ",", "1.5e-3f", ">>>", "(", "c", ")", "\"x < \\\" y\"", "d", "->", "e", "++"}));
}

TEST(Tokens, KnowWhereTheyAreAndWhatBelongsTogether) {
    const std::string text = "f(a[1], b.c)";
    const Tokens tokens = tokens_of(text, 0, text.size());
    for (const Token& token : tokens) EXPECT_EQ(text.substr(token.at, token.text.size()), token.text);
    EXPECT_EQ(partner(tokens, 1), tokens.size() - 1);
    EXPECT_EQ(partner(tokens, tokens.size() - 1), 1U);
    EXPECT_EQ(parts_between(tokens, 1, ",").size(), 2U);
    EXPECT_EQ(operand_from(tokens, 0).last, tokens.size() - 1);
    EXPECT_EQ(operand_up_to(tokens, tokens.size() - 1).first, 0U);
    EXPECT_EQ(partner(tokens_of("(a", 0, 2), 0), nowhere);
}

TEST(Generator, ChangesNothingOutsideRegionsNorInComments) {
    EXPECT_TRUE(all_mutants("x.cu", "int a = 1 < 2;  // no region\n").empty());
    EXPECT_TRUE(all_mutants("x.cu", in_region("// a < b + 1\n/* __syncthreads(); */")).empty());
    EXPECT_TRUE(made("comparison off by one", "puts(\"a < b\");").empty());
}

TEST(Generator, DropsBarriers) {
    EXPECT_EQ(made("barrier dropped", "a; __syncthreads(); __syncwarp(mask(1));"),
              (Lines{"a; ; __syncwarp(mask(1));", "a; __syncthreads(); ;"}));
}

TEST(Generator, PutsComparisonsOffByOneButNoBracketsOfTemplatesOrLaunches) {
    EXPECT_EQ(made("comparison off by one", "if (a < b && c >= d) f<T><<<g, b>>>(x);"),
              (Lines{"if (a <= b && c >= d) f<T><<<g, b>>>(x);", "if (a < b && c > d) f<T><<<g, b>>>(x);"}));
}

TEST(Generator, ExchangesIndexPairs) {
    EXPECT_EQ(made("index pair exchanged", "M[row * W + start + threadIdx.x]"),
              (Lines{"M[start * W + row + threadIdx.x]", "M[threadIdx.x * W + start + row]"}));
    EXPECT_EQ(made("index pair exchanged", "M[k + size_t(i) * W]"), Lines{"M[size_t(i) + k * W]"});
    EXPECT_EQ(made("index pair exchanged", "N[(s + t.y) * W + col]"), Lines{"N[col * W + (s + t.y)]"});
    EXPECT_EQ(made("index pair exchanged", "t[a.y][a.x + 1] = u[T][T];"), Lines{"t[a.x + 1][a.y] = u[T][T];"});
    EXPECT_TRUE(made("index pair exchanged", "a[i] * b[j]; a * b / c; a * b + c * d;").empty());
}

TEST(Generator, TakesXForY) {
    EXPECT_EQ(made("x for y", "threadIdx.x + p.y + s.size"), (Lines{"threadIdx.y + p.y + s.size", "threadIdx.x + p.x + s.size"}));
    const Lines throughout = made("x and y exchanged throughout", "r(blockIdx.y, threadIdx.y); c(blockIdx.x, threadIdx.x);");
    EXPECT_EQ(throughout,
              (Lines{"r(blockIdx.y, threadIdx.x); c(blockIdx.x, threadIdx.y);", "r(blockIdx.x, threadIdx.y); c(blockIdx.y, threadIdx.x);",
                     "r(blockIdx.x, threadIdx.x); c(blockIdx.y, threadIdx.y);"}));
}

TEST(Generator, DropsGuards) {
    EXPECT_EQ(made("guard dropped", "if (row < W) P = 1;"), Lines{"if (true) P = 1;"});
    EXPECT_EQ(made("guard dropped", "if (row >= W) { return; }"), Lines{"if (false) { return; }"});
    EXPECT_EQ(made("guard dropped", "if (cudaFree(p) != e) return e;"), Lines{"if ((cudaFree(p) != e) && false) return e;"});
    EXPECT_EQ(made("guard dropped", "t[i] = f(r) < m ? A[r] : 0;"), Lines{"t[i] = (f(r) < m) || true ? A[r] : 0;"});
    EXPECT_EQ(made("part of a guard dropped", "if (a < W && f(b || c) && d)"),
              (Lines{"if ( f(b || c) && d)", "if (a < W &&  d)", "if (a < W && f(b || c) )", "if (a < W && f( c) && d)",
                     "if (a < W && f(b ) && d)"}));
    EXPECT_EQ(made("and made or", "if (a && b)"), Lines{"if (a || b)"});
}

TEST(Generator, DropsRoundingUp) {
    EXPECT_EQ(made("round-up dropped", "g((W + b.x - 1) / b.x);"), Lines{"g((W ) / b.x);"});
    EXPECT_EQ(made("round-up dropped", "g((W + 15) / 16);"), Lines{"g((W ) / 16);"});
    EXPECT_TRUE(made("round-up dropped", "i + 1; i - 1;").empty());
}

TEST(Generator, PutsConstantsOffByOneBothWays) {
    EXPECT_EQ(made("constant off by one", "a[16u]"), (Lines{"a[17u]", "a[15u]"}));
    EXPECT_EQ(made("constant off by one", "i = 0;"), (Lines{"i = 1;", "i = -1;"}));
    EXPECT_EQ(made("constant off by one", "x = 0.5f;"), (Lines{"x = 1.500000f;", "x = -0.500000f;"}));
}

TEST(Generator, ChangesSumsAndSigns) {
    EXPECT_EQ(made("sign changed", "s += a + b - -c;"), (Lines{"s += a - b - -c;", "s += a + b + -c;"}));
    EXPECT_EQ(made("sum not kept", "s += a;"), Lines{"s = a;"});
    EXPECT_EQ(made("cast dropped", "std::size_t(i) * size_t(n)"), (Lines{"(i) * size_t(n)", "std::size_t(i) * (n)"}));
}

TEST(Generator, SpoilsCallsOfTheRuntime) {
    EXPECT_EQ(made("copy direction exchanged", "c(cudaMemcpyHostToDevice);"), Lines{"c(cudaMemcpyDeviceToHost);"});
    EXPECT_EQ(made("error check dropped", "cudaError_t e = cudaMalloc(p); e = cudaFree(p); n = f();"),
              (Lines{"cudaError_t e = cudaSuccess; cudaMalloc(p); e = cudaFree(p); n = f();",
                     "cudaError_t e = cudaMalloc(p);  cudaFree(p); n = f();"}));
    EXPECT_EQ(made("free dropped", "cudaFree(a); f();"), Lines{"; f();"});
    EXPECT_EQ(made("arguments exchanged", "f(a, b[c, d], e);"), (Lines{"f(b[c, d], a, e);", "f(a, e, b[c, d]);"}));
    EXPECT_EQ(made("arguments exchanged", "k<<<dim3(n), b>>>();"), Lines{"k<<<b, dim3(n)>>>();"});
}

TEST(Generator, TakesTheWrongArrayAndTheWrongSize) {
    EXPECT_EQ(made("wrong array", "P[i] = M[i] + f(n);"), (Lines{"M[i] = M[i] + f(n);", "P[i] = P[i] + f(n);"}));
    EXPECT_EQ(made("wrong size", "i < rows; j < cols; A[j * rows]"),
              (Lines{"i < cols; j < cols; A[j * rows]", "i < rows; j < rows; A[j * rows]", "i < rows; j < cols; A[j * cols]"}));
}

TEST(Generator, DropsStatementsButNoDeclarations) {
    EXPECT_EQ(made("statement dropped", "int a = 1; a = 2; for (i = 0; i < a; ++i) { b[i] += f(a); }"),
              (Lines{"int a = 1; ; for (i = 0; i < a; ++i) { b[i] += f(a); }", "int a = 1; a = 2; for (i = 0; i < a; ++i) { ; }"}));
    EXPECT_EQ(made("shared memory made local", "__shared__ T t[9];"), Lines{" T t[9];"});
}

TEST(Generator, NamesMutantsByTheirLinesNotByTheirPlace) {
    const auto mutants = all_mutants("x.cu", in_region("  while (a < b)\n  c;\nif (d)\n  while (a < b)\n"));
    ASSERT_GE(mutants.size(), 2U);
    EXPECT_EQ(mutants[0].identity, (Identity{"x.cu", "comparison off by one", "while (a < b)", "while (a <= b)", 1}));
    EXPECT_EQ(mutants[1].identity, (Identity{"x.cu", "comparison off by one", "while (a < b)", "while (a <= b)", 2}));
    EXPECT_EQ(mutants[1].line, 6);
}

TEST(Generator, MakesNoTextTwice) {
    std::vector<std::string> texts;
    for (const Mutant& mutant : all_mutants("x.cu", in_region("__syncthreads();\ncudaFree(p);"))) texts.push_back(mutant.text);
    EXPECT_EQ(texts.size(), 2U);  // each is a statement that could be dropped, too
}

const Identity one{"x.cu", "guard dropped", "if (a)", "if (true)", 1};

nlohmann::json list_of(const Identity& identity, const std::string& reason) {
    return {{{"reason", reason}, {"mutants", {nlohmann::json(to_json(identity))}}}};
}

Judged judged(const Identity& identity, Outcome outcome) { return {"lab9", {identity, 1, ""}, {outcome, "Lab9.A", "wrong"}}; }

TEST(Equivalents, NeedAReasonAndComeOnce) {
    EXPECT_EQ(read_equivalents(list_of(one, "a is always true")).at(0).identity, one);
    EXPECT_THROW((void)read_equivalents(list_of(one, "")), tools::BadInput);
    EXPECT_THROW((void)read_equivalents({{{"reason", "no mutants"}}}), tools::BadInput);
    auto twice = list_of(one, "a is always true");
    twice.push_back(twice.at(0));
    EXPECT_THROW((void)read_equivalents(twice), tools::BadInput);
    EXPECT_THROW((void)read_equivalents(nlohmann::json::parse("{", nullptr, false)), tools::BadInput);
}

TEST(Tally, CountsASurvivorUnlessItIsListed) {
    const std::vector<Judged> all{judged(one, Outcome::survived)};
    EXPECT_FALSE(tally(all, {}, {"x.cu"}).clean());
    EXPECT_EQ(tally(all, {}, {"x.cu"}).total().survived, 1);
    const Tally listed = tally(all, {{one, "a is always true"}}, {"x.cu"});
    EXPECT_TRUE(listed.clean());
    EXPECT_EQ(listed.total().equivalent, 1);
    Identity second = one;
    second.occurrence = 2;
    EXPECT_FALSE(tally(all, {{second, "another place"}}, {}).clean());
}

TEST(Tally, FindsStaleEntries) {
    const std::vector<Equivalent> list{{one, "a is always true"}};
    EXPECT_EQ(tally({judged(one, Outcome::rejected)}, list, {"x.cu"}).stale.size(), 1U);
    EXPECT_EQ(tally({judged(one, Outcome::does_not_compile)}, list, {"x.cu"}).stale.size(), 1U);
    Identity other = one;
    other.kind = "sign changed";
    const Tally gone = tally({judged(other, Outcome::rejected)}, list, {"x.cu"});
    EXPECT_EQ(gone.stale.size(), 1U);
    EXPECT_FALSE(gone.clean());
    EXPECT_TRUE(tally({judged(other, Outcome::rejected)}, list, {"y.cu"}).clean());  // x.cu was not asked for
    EXPECT_FALSE(tally({}, {}, {}).clean()) << "no mutants at all is no proof";
}

}  // namespace
}  // namespace lab::mutants
