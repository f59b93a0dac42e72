// No check may reject a right kernel, whatever the shape of its blocks: lab 2's kernels in each of the 7262 two-dimensional shapes that a
// block of at most 1024 threads can have, under all checks. (Lab 3's blocks are its tiles: its suite covers them.) Not part of a student's
// grade; run on the solution and on every accepted file.
#include "tests/labs/lab2_launch.h"

namespace lab::grading {
namespace {

constexpr int max_threads = 1024;
constexpr int W = 19;  // divided by no shape but 1 and 19 along a side: most blocks reach beyond the matrix

void expect_no_objection(const std::string& function) {
    Random random(function + " in every shape");
    const SquareProduct<float> product(W, random);
    int tried = 0;
    for (int x = 1; x <= max_threads; ++x) {
        for (int y = 1; x * y <= max_threads; ++y) {
            Call call = launch(function, product, {x, y}, random);
            const Message problem = judge_product(call.run(student()), product, call, Care::everything);
            if (!problem.empty()) {
                return fail(problem.at(named(function, W, {x, y})));
            }
            ++tried;
        }
    }
    EXPECT_EQ(tried, 7262);
}

TEST(EveryShape, OfMatmulGlobalIsRight) { expect_no_objection("matmul_global"); }
TEST(EveryShape, OfMatmulGlobalXRowsIsRight) { expect_no_objection("matmul_global_x_rows"); }

}  // namespace
}  // namespace lab::grading
