// Grades lab 4: matrix-vector and matrix-matrix products in tiles that don't fit, and from constant memory.

#include "tests/labs/lab4_problems.h"

namespace lab::grading {
namespace {

TEST_F(Lab4, MatvecStaticMatchesReferenceAtMultiplesOfTheBlock) {
    grade_as({4, Group::correct, 4});
    expect_right<Matvec, MatvecSize>("matvec_static", {{8, 24, 8}, {72, 8, 8}, {16, 48, 16}, {80, 32, 16}, {32, 96, 32}, {160, 64, 32}});
}

TEST_F(Lab4, MatvecDynamicMatchesReferenceInBlocksOfAnySize) {
    grade_as({4, Group::correct, 5});
    expect_right<Matvec, MatvecSize>(
        "matvec_dynamic",
        {{16, 48, 16}, {80, 32, 16}, {24, 8, 8}, {32, 96, 32}, {3, 5, 1}, {9, 6, 3}, {25, 40, 5}, {48, 96, 24}, {62, 31, 31}});
}

TEST_F(Lab4, MatvecAnyMatchesReferenceAtAnyShape) {
    grade_as({4, Group::correct, 6});
    expect_right<Matvec, MatvecSize>("matvec_any", {{16, 48, 16},
                                                    {48, 20, 16},
                                                    {20, 48, 16},
                                                    {15, 17, 16},
                                                    {17, 15, 16},
                                                    {37, 53, 16},
                                                    {1, 1, 16},
                                                    {1, 50, 16},
                                                    {50, 1, 16},
                                                    {31, 33, 32},
                                                    {33, 31, 32},
                                                    {100, 3, 8},
                                                    {3, 100, 8},
                                                    {61, 113, 25},
                                                    {5, 7, 1}});
}

TEST_F(Lab4, MatvecAnyMatchesReferenceAtAMillionByThree) {
    grade_as({4, Group::correct, 3});
    expect_right<Matvec, MatvecSize>("matvec_any", {{1'000'000, 3, 8}, {3, 1'000'000, 8}});
}

TEST_F(Lab4, MatmulAnyMatchesReferenceAtAnyShape) {
    grade_as({4, Group::correct, 6});
    expect_right<Matmul, MatmulSize>("matmul_any", {{16, 32, 48},
                                                    {48, 16, 20},
                                                    {20, 48, 16},
                                                    {32, 20, 16},
                                                    {15, 17, 16},
                                                    {17, 15, 33},
                                                    {31, 33, 47},
                                                    {37, 53, 29},
                                                    {1, 1, 1},
                                                    {1, 17, 5},
                                                    {17, 1, 5},
                                                    {5, 7, 1},
                                                    {1, 1, 50},
                                                    {64, 3, 2},
                                                    {3, 64, 40},
                                                    {3, 5, 130},
                                                    {100, 70, 90}});
}

// Beyond 65535 blocks of 16 rows or columns, which is where a grid ends along y.
TEST_F(Lab4, MatmulAnyMatchesReferenceBeyondAMillionRowsOrColumns) {
    grade_as({4, Group::correct, 3});
    expect_right<Matmul, MatmulSize>("matmul_any", {{1'048'577, 1, 3}, {1, 1'048'577, 2}, {2, 3, 20'000}});
}

TEST_F(Lab4, MatvecConstantMatchesReferenceUpTo16384Columns) {
    grade_as({4, Group::correct, 4});
    const std::string function = "matvec_constant";
    Random random(function);
    Shapes shapes;
    const std::vector<MatvecSize> sizes{{33, 31}, {257, 64}, {1000, 500},           {1, 1},
                                        {1, 100}, {100, 1},  {40, constant_floats}, {1'000'000, 3}};
    try_sizes<Matvec>(shapes, Functions::one, function, sizes, random, [&](const Matvec& problem) {
        Call call = problem.call(function, random);
        const Result result = call.run(student());
        Message wrong = problem.judge(result, call);
        if (result.status_text.rfind("cudaErrorInvalidValue", 0) == 0 && result.api.failed_calls == 0) {
            wrong = wrong.with(wrong.what);
            wrong.what = fmt::format(
                "refused {} columns, which fit: constant memory has room for {} floats: is a size in bytes compared, or the last that fits "
                "left out?",
                problem.of.cols, constant_floats);
        }
        const bool without_a_cause = !wrong.empty() && wrong.kind == Topic::none && stopped(result).empty();
        return without_a_cause ? wrong.with("is all of x, cols * sizeof(float) bytes, in constant memory before the launch?") : wrong;
    });
    shapes.judge();
}

// A size that doesn't fit has to give cudaErrorInvalidValue before any other action.
Message judge_refusal(const Result& result, const std::string& argument) {
    if (!result.problem.empty() || result.status == cuda_error_not_supported) {
        return stopped(result);
    }
    const std::string came_back = "what came back: " + (result.status == 0 ? "cudaSuccess" : result.status_text);
    if (result.status_text.rfind("cudaErrorInvalidValue", 0) != 0) {
        return Message(fmt::format("constant memory has room for {} floats: more has to give cudaErrorInvalidValue", constant_floats),
                       {came_back})
            .on(Section::task);
    }
    const auto copies = result.api.copies;
    const auto launches = result.api.launches;
    const auto failed = result.api.failed_calls;
    if (copies + launches + failed == 0) {
        return {};
    }
    return Message("refused too late: look at " + argument + " before you copy or launch anything",
                   {came_back,
                    fmt::format("calls of the runtime before that: {} copies, {} launches, {} that failed", copies, launches, failed)})
        .on(Section::task)
        .of(Topic::late_refusal);
}

TEST_F(Lab4, RefusesMoreThanConstantMemoryTakes) {
    grade_as({4, Group::correct, 2});
    Random random("refused");
    Shapes shapes;
    const auto refused_by = [&](const std::string& function, const char* argument) {
        return [&random, function, argument](const auto& problem) {
            return judge_refusal(problem.call(function, random).run(student()), argument);
        };
    };
    try_sizes<Matvec>(shapes, Functions::several, "matvec_constant", std::vector<MatvecSize>{{5, constant_floats + 1}, {3, 20'000}}, random,
                      refused_by("matvec_constant", "cols"));
    try_sizes<Matmul>(shapes, Functions::several, "matmul_constant", std::vector<MatmulSize>{{3, 2, constant_floats + 1}}, random,
                      refused_by("matmul_constant", "k"));
    shapes.judge();
}

TEST_F(Lab4, MatmulConstantMatchesReferenceInBandsOfAnySize) {
    grade_as({4, Group::correct, 5});
    expect_right<Matmul, MatmulSize>("matmul_constant", {{8, 32, 16},
                                                         {7, 31, 40},
                                                         {33, 17, 100},
                                                         {1, 1, 1},
                                                         {1, 33, 5},
                                                         {9, 1, 7},
                                                         {64, 20, 257},
                                                         {20, 33, 5000},
                                                         {5, 40, constant_floats},
                                                         {constant_floats + 1, 2, 1}});
}

// Each safe test fails for any checker's finding, and reports its own kind first.
void expect_safe(FindingKind kind) {
    Random random(fmt::format("safe {}", name_of(kind)));
    Shapes shapes;
    const auto try_all = [&]<typename Problem, typename Size>(const std::string& function, const std::vector<Size>& sizes) {
        try_sizes<Problem>(shapes, Functions::several, function, sizes, random, [&](const Problem& problem) {
            Call call = problem.call(function, random);
            return judge_in_any_order<float>(call, problem.shape(), problem.expected(), kind);
        });
    };
    const auto try_matvec = [&](const std::string& function, const std::vector<MatvecSize>& sizes) {
        try_all.operator()<Matvec>(function, sizes);
    };
    const auto try_matmul = [&](const std::string& function, const std::vector<MatmulSize>& sizes) {
        try_all.operator()<Matmul>(function, sizes);
    };
    try_matvec("matvec_static", {{16, 48, 16}, {64, 32, 32}});
    try_matvec("matvec_dynamic", {{16, 48, 16}, {25, 15, 5}});
    try_matvec("matvec_any", {{16, 48, 16}, {37, 53, 16}, {33, 40, 32}, {3, 7, 8}});
    try_matmul("matmul_any", {{16, 32, 48}, {37, 21, 50}, {1, 40, 3}});
    try_matvec("matvec_constant", {{300, 40}, {1, 1}});
    try_matmul("matmul_constant", {{20, 33, 50}, {5, 34, 6000}});
    shapes.judge();
}

TEST_F(Lab4, HasNoRaces) {
    grade_as({4, Group::safe, 6});
    expect_safe(FindingKind::race);
}

TEST_F(Lab4, ReachesEveryBarrierWithAllThreads) {
    grade_as({4, Group::safe, 3});
    expect_safe(FindingKind::divergent_barrier);
}

TEST_F(Lab4, ReadsOnlyWhatWasWritten) {
    grade_as({4, Group::safe, 3});
    expect_safe(FindingKind::uninitialised_read);
}

TEST_F(Lab4, StaysInsideItsArrays) {
    grade_as({4, Group::safe, 6});
    expect_safe(FindingKind::out_of_bounds);
}

}  // namespace
}  // namespace lab::grading
