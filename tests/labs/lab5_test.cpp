// Grades lab 5: seven kernels that transpose a matrix, their results and their bounds.
#include "tests/labs/lab5_kernels.h"

namespace lab::grading {
namespace {

struct Size {
    int nx, ny;
};

// Multiples of every tile, one below and one above, long rows, long columns, single ones. Never square.
const std::vector<Size> sizes{{128, 64}, {31, 33}, {33, 31}, {97, 130}, {65, 16}, {1, 37}, {53, 1}, {300, 3}, {5, 210}, {1, 1}};
const std::vector<Block> any_block{{16, 16}, {32, 8}, {8, 32}, {7, 5}, {64, 2}, {1, 32}};

void expect_right(const std::string& kernel, const std::vector<Block>& blocks) {
    Random random(kernel);
    Shapes shapes;
    for (const Size size : sizes) {
        const Transposition work(size.nx, size.ny, random);
        for (const Block block : blocks) {
            shapes.attempt(short_shape(work, block), [&] {
                Call call = call_with(kernel, work, block, random);
                return work.judge(call.run(student()), call).at(named(kernel, work, block));
            });
        }
    }
    shapes.judge();
}

TEST_F(Lab5, NaiveRowTransposesAnyShape) {
    grade_as({5, Group::correct, 4});
    expect_right("naive_row", any_block);
}

TEST_F(Lab5, NaiveColTransposesAnyShape) {
    grade_as({5, Group::correct, 4});
    expect_right("naive_col", any_block);
}

TEST_F(Lab5, Unroll4RowTransposesAnyShape) {
    grade_as({5, Group::correct, 6});
    expect_right("unroll4_row", any_block);
}

TEST_F(Lab5, Unroll4ColTransposesAnyShape) {
    grade_as({5, Group::correct, 6});
    expect_right("unroll4_col", any_block);
}

TEST_F(Lab5, SmemTransposesAnyShape) {
    grade_as({5, Group::correct, 6});
    expect_right("smem", {{}});
}

TEST_F(Lab5, SmemPadTransposesAnyShape) {
    grade_as({5, Group::correct, 6});
    expect_right("smem_pad", {{}});
}

TEST_F(Lab5, SmemUnrollPadTransposesAnyShape) {
    grade_as({5, Group::correct, 8});
    expect_right("smem_unroll_pad", {{}, {32, 4}, {32, 32}, {16, 16}, {8, 3}, {24, 10}, {3, 7}});
}

// Each safe test fails for any checker's finding, and reports its own kind first.
void expect_safe(const std::vector<std::string>& kernels, FindingKind kind) {
    Random random(fmt::format("safe {}", name_of(kind)));
    for (const std::string& kernel : kernels) {
        Shapes shapes;
        for (const Size size : {Size{96, 64}, Size{45, 70}, Size{70, 33}, Size{2, 67}}) {
            const Transposition work(size.nx, size.ny, random);
            // The one tiled kernel that takes any block, also in one whose y doesn't divide its x.
            for (const Block block : kernel == "smem_unroll_pad" ? std::vector<Block>{{}, {8, 3}} : std::vector<Block>{{}}) {
                shapes.attempt(short_shape(work, block), [&] {
                    Call call = call_with(kernel, work, block, random);
                    return work.judge_order(call, kind).at(named(kernel, work, block));
                });
            }
        }
        shapes.judge();
    }
}

TEST_F(Lab5, HasNoRaces) {
    grade_as({5, Group::safe, 8});
    expect_safe(tiled_kernels, FindingKind::race);
}

TEST_F(Lab5, ReachesEveryBarrierWithAllThreads) {
    grade_as({5, Group::safe, 4});
    expect_safe(tiled_kernels, FindingKind::divergent_barrier);
}

TEST_F(Lab5, StaysInsideItsArrays) {
    grade_as({5, Group::safe, 8});
    expect_safe(all_kernels, FindingKind::out_of_bounds);
}

}  // namespace
}  // namespace lab::grading
