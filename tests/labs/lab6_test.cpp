// Grades lab 6: transposes with their blocks in diagonal order. What they are judged by beyond right results and speed is in
// lab6_traffic_test.cpp.
#include "tests/labs/lab6_kernels.h"

namespace lab::grading {
namespace {

struct Size {
    int nx, ny;
};

// No square: a transpose that takes nx for ny is right there.
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

// Grids of one block, one row, one column; of more columns than rows, fewer, and of numbers that share a divisor or none.
const std::vector<Size> sizes_for_16x16{{16, 48}, {96, 64}, {48, 112}, {1, 1}, {1, 50}, {70, 1}, {31, 33}, {97, 53}, {17, 128}, {300, 2}};
const std::vector<Size> sizes_for_32x32{{32, 96}, {192, 128}, {96, 224}, {131, 67}, {97, 160}, {1, 1},
                                        {1, 70},  {90, 1},    {31, 33},  {33, 31},  {300, 2},  {3, 1000}};

TEST(Lab6, DiagonalRowMatchesAtAnySize) {
    grade_as({6, Group::correct, 10});
    expect_right(diagonal_row, sizes_for_16x16);
}

TEST(Lab6, DiagonalColMatchesAtAnySize) {
    grade_as({6, Group::correct, 10});
    expect_right(diagonal_col, sizes_for_16x16);
}

TEST(Lab6, RowAndColMatchInBlocksOfAnyShape) {
    grade_as({6, Group::correct, 6});
    Random random("blocks");
    Shapes shapes;
    const Transposition work = diagonal_work(210, 131, random);
    for (const Block block : {Block{32, 8}, Block{8, 32}, Block{256, 1}, Block{2, 64}, Block{5, 3}, Block{1, 1}}) {
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

TEST(Lab6, SmemPadMatchesAtAnySize) {
    grade_as({6, Group::correct, 14});
    expect_right(diagonal_smem_pad, sizes_for_32x32);
}

// Each safe test fails on whatever a checker finds, and says first what it is named for.
void expect_safe(const std::string& kind) {
    Random random("safe " + kind);
    Shapes shapes;
    for (const Kernel& kernel : kernels) {
        for (const Size& size : {Size{64, 96}, Size{77, 41}}) {
            const Transposition work = diagonal_work(size.nx, size.ny, random);
            shapes.attempt(fmt::format("{} at {}", kernel.name, work.size()), [&] {
                Call call = call_with(kernel.name, work, kernel.block, random);
                return judge_in_any_order<float>(call, work.shape(), work.expected(), kind).at(named(kernel, work));
            });
        }
    }
    shapes.judge();
}

TEST(Lab6, HasNoRaces) {
    grade_as({6, Group::safe, 8});
    expect_safe("race");
}

TEST(Lab6, StaysInsideItsArrays) {
    grade_as({6, Group::safe, 8});
    expect_safe("out of bounds");
}

TEST(Lab6, ReachesTheBarrierWithAllThreads) {
    grade_as({6, Group::safe, 4});
    expect_safe("divergent barrier");
}

// On the emulated GTX 280 the order has to pay; on a GPU of today, where it can't, it must not cost much.
TEST(Lab6, GainsThreefoldOverTheCartesianOrderOrCostsAQuarter) {
    grade_as({6, Group::fast, 12});
    Random random("cartesian");
    Transposition work(emulated() ? 3072 : 4096, emulated() ? 512 : 2048, random);
    const double least = emulated() ? 3 : 0.8;  // 25 % slower
    const std::string place = named(diagonal_smem_pad, work);
    const Speed speed =
        race(work, on_device("gtx280", own(diagonal_smem_pad, random)), on_device("gtx280", cartesian(diagonal_smem_pad, random)), least);
    if (!speed.outcome.problem.empty()) {
        return fail(speed.outcome.problem.at(place));
    }
    const double ratio = speed.outcome.ratio();
    const double ms = speed.outcome.first.median();
    const std::string text = fmt::format("{}: {:.4g} ms, {}; the same in cartesian order {:.4g} ms: {:.2f} of its speed", work.size(), ms,
                                         work.rate(ms), speed.outcome.second.median(), ratio);
    record_measurement(text, speed.times);
    Message slow(fmt::format("too slow: {:.2f} of the speed of the same kernel in cartesian order, {} is asked for", ratio, least),
                 {fmt::format("{} (times {})", text, speed.times)});
    if (emulated()) {
        slow = slow.with("if the partitions' test passes too, look for transactions or instructions that the other kernel doesn't have");
    }
    expect(ratio >= least, slow.at(place));
}

TEST(Lab6, ReachesTheReferencesSpeed) {
    grade_as({6, Group::fast, 4});
    Random random("speed");
    const Transposition work(emulated() ? 1024 : 4096, emulated() ? 768 : 3072, random);
    expect_fraction(named(diagonal_smem_pad, work), work, own(diagonal_smem_pad, random), given(diagonal_smem_pad, random), 0.85);
}

TEST(Lab6, BeatsTheCpuTenfold) {
    grade_as({6, Group::fast, 4});
    Random random("CPU");
    const Transposition work(emulated() ? 1024 : 4096, emulated() ? 768 : 3072, random);
    expect_speedup_over_cpu(named(diagonal_smem_pad, work), work, own(diagonal_smem_pad, random), 10);
}

}  // namespace
}  // namespace lab::grading
