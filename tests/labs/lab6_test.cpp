// Grades lab 6: transposes with their blocks in diagonal order, whether they are right and safe. Technique is judged in
// lab6_test_partitions.cpp, speed after it in lab6_test_speed.cpp: partition camping explains why a kernel is slow.
#include "tests/labs/lab6_kernels.h"

namespace lab::grading {
namespace {

struct Size {
    int nx, ny;
};

// No squares: a transpose with nx in place of ny is right there.
void expect_right(const Kernel& kernel, const std::vector<Size>& sizes) {
    Random random(kernel.name);
    Shapes shapes;
    for (const Size& size : sizes) {
        const Transposition work = diagonal_work(size.nx, size.ny, random);
        shapes.attempt(work.size(), [&] {
            Call call = call_with(kernel.name, work, kernel.block, random);
            return work.judge(call.run(student()), call).at(named(kernel, work));
        });
    }
    shapes.judge();
}

// Grids of one block, one row, one column; of more columns than rows, fewer, and of numbers that share a divisor or none; of more than 256
// columns or rows of tiles, and of more tiles than 16 bits count.
const std::vector<Size> sizes_for_16x16{{16, 48}, {96, 64}, {48, 112}, {1, 1}, {1, 50}, {70, 1}, {31, 33}, {97, 53}, {17, 4224}, {4200, 2}};
const std::vector<Size> sizes_for_32x32{{32, 96}, {192, 128}, {96, 224}, {131, 67}, {97, 160},    {1, 1},
                                        {1, 70},  {90, 1},    {31, 33},  {33, 31},  {2097184, 1}, {3, 8230}};

TEST_F(Lab6, DiagonalRowMatchesAtAnySize) {
    grade_as({6, Group::correct, 10});
    expect_right(diagonal_row, sizes_for_16x16);
}

TEST_F(Lab6, DiagonalColMatchesAtAnySize) {
    grade_as({6, Group::correct, 10});
    expect_right(diagonal_col, sizes_for_16x16);
}

TEST_F(Lab6, RowAndColMatchInBlocksOfAnyShape) {
    grade_as({6, Group::correct, 6});
    Random random("blocks");
    Shapes shapes;
    const Transposition matrix = diagonal_work(210, 131, random);
    const Transposition for_many_blocks = diagonal_work(502, 263, random);  // more than 2^16 of 2 x 1
    for (const Block block : {Block{32, 8}, Block{8, 32}, Block{256, 1}, Block{2, 64}, Block{5, 3}, Block{2, 1}}) {
        const Transposition& work = block.x * block.y == 2 ? for_many_blocks : matrix;
        for (Kernel kernel : {diagonal_row, diagonal_col}) {
            kernel.block = block;
            shapes.attempt(fmt::format("{} in blocks of {}x{}", kernel.name, block.x, block.y), [&] {
                Call call = call_with(kernel.name, work, block, random);
                return work.judge(call.run(student()), call).at(named(kernel, work));
            });
        }
    }
    shapes.judge();
}

TEST_F(Lab6, SmemPadMatchesAtAnySize) {
    grade_as({6, Group::correct, 14});
    expect_right(diagonal_smem_pad, sizes_for_32x32);
}

// Each safe test fails for any checker's finding, and reports its own kind first.
void expect_safe(FindingKind kind) {
    Random random(fmt::format("safe {}", name_of(kind)));
    Shapes shapes;
    for (const Kernel& kernel : kernels) {
        for (const Size& size : {Size{64, 96}, Size{77, 41}}) {
            const Transposition work = diagonal_work(size.nx, size.ny, random);
            shapes.attempt(fmt::format("{} at {}", kernel.name, work.size()), [&] {
                Call call = call_with(kernel.name, work, kernel.block, random);
                return work.judge_order(call, kind).at(named(kernel, work));
            });
        }
    }
    shapes.judge();
}

TEST_F(Lab6, HasNoRaces) {
    grade_as({6, Group::safe, 8});
    expect_safe(FindingKind::race);
}

TEST_F(Lab6, StaysInsideItsArrays) {
    grade_as({6, Group::safe, 8});
    expect_safe(FindingKind::out_of_bounds);
}

TEST_F(Lab6, ReachesTheBarrierWithAllThreads) {
    grade_as({6, Group::safe, 4});
    expect_safe(FindingKind::divergent_barrier);
}

}  // namespace
}  // namespace lab::grading
