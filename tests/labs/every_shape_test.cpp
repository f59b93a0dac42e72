// No check may reject a right kernel, whatever the shape of its blocks: lab 2's kernels in the 7262 two-dimensional shapes that a block of
// at most 1024 threads can have, under all checks. (Lab 3's blocks are its tiles: its suite covers them.) Not part of a student's grade;
// run on the solution in each shape (LAB_ALL_SHAPES=1), and on every accepted file in one of five, drawn anew in each run. LAB_QUARTER
// from 1 to 4 takes a quarter of these.
#include <cstdlib>

#include "tests/labs/lab2_launch.h"

namespace lab::grading {
namespace {

constexpr int max_threads = 1024;
constexpr int W = 19;  // divided by no shape but 1 and 19 along a side: most blocks reach beyond the matrix

void expect_no_objection(const std::string& function) {
    Random random(function + " in every shape");
    const SquareProduct<float> product(W, random);
    const char* const asked = std::getenv("LAB_QUARTER");
    const std::uint64_t quarter = asked == nullptr ? 0 : std::strtoull(asked, nullptr, 10);
    std::uint64_t step = std::getenv("LAB_ALL_SHAPES") != nullptr ? 1 : 5;
    std::uint64_t first = random.bits() % step;
    if (quarter != 0) {
        first = 4 * first + quarter - 1;
        step *= 4;
    }
    std::uint64_t shapes = 0;
    for (int x = 1; x <= max_threads; ++x) {
        for (int y = 1; x * y <= max_threads; ++y) {
            if (shapes++ % step != first) continue;
            Call call = launch(function, product, {x, y}, random);
            const Message problem = judge_product(call.run(student()), product, call, Care::everything);
            if (!problem.empty()) {
                return fail(problem.at(named(function, W, {x, y})));
            }
        }
    }
    EXPECT_EQ(shapes, 7262U);
}

TEST(EveryShape, OfMatmulGlobalIsRight) { expect_no_objection("matmul_global"); }
TEST(EveryShape, OfMatmulGlobalXRowsIsRight) { expect_no_objection("matmul_global_x_rows"); }

}  // namespace
}  // namespace lab::grading
