// Block shapes, the order of a sweep's table, and the demonstration's columns beside its times.
#include "common/tools/studies/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/studies/demo.h"
#include "common/tools/studies/study_ask.h"

namespace lab::tools {
namespace {

const StudyKernel& kernel_named(const std::string& name) {
    const auto& kernels = study_kernels();
    return *std::find_if(kernels.begin(), kernels.end(), [&](const StudyKernel& each) { return each.name == name; });
}

StudyDevice device_with(int threads) {
    StudyDevice device;
    device.id = "paper";
    device.max_threads = device.max_block_x = device.max_block_y = threads;
    return device;
}

TEST(BlockShapes, OfAnyShapeArePowersOfTwoFromAWarpToTheDevicesMost) {
    const StudyKernel kernel = kernel_named("matmul_global");
    // 2^a x 2^b with 5 <= a + b <= 10: 6 + 7 + 8 + 9 + 10 + 11 of them; up to 512 threads 11 fewer.
    EXPECT_EQ(legal_blocks(kernel, {100, 100}, device_with(1024)).size(), 51U);
    EXPECT_EQ(legal_blocks(kernel, {100, 100}, device_with(512)).size(), 40U);
    for (const BlockShape block : legal_blocks(kernel, {100, 100}, device_with(512))) {
        EXPECT_GE(block.threads(), 32) << show(block);
        EXPECT_LE(block.threads(), 512) << show(block);
    }
}

TEST(BlockShapes, OfTilesAreThoseThatDivideTheSize) {
    const StudyKernel kernel = kernel_named("matmul_tiled");
    EXPECT_EQ(legal_blocks(kernel, {800, 800}, device_with(1024)), (std::vector<BlockShape>{{16, 16}, {25, 25}, {32, 32}}));
    EXPECT_EQ(legal_blocks(kernel, {1000, 1000}, device_with(1024)), (std::vector<BlockShape>{{25, 25}}));
    EXPECT_EQ(legal_blocks(kernel, {800, 800}, device_with(512)), (std::vector<BlockShape>{{16, 16}}));
    EXPECT_EQ(block_for(kernel, "", {1000, 1000}, device_with(1024)), (BlockShape{25, 25}));
    EXPECT_EQ(block_for(kernel, "", {800, 800}, device_with(1024)), (BlockShape{32, 32}));
    EXPECT_EQ(block_for(kernel, "", {800, 800}, device_with(512)), (BlockShape{16, 16}));
}

std::string refusal(const std::string& kernel, const std::string& block, Size size) {
    try {
        (void)block_for(kernel_named(kernel), block, size, device_with(1024));
        return "";
    } catch (const BadInput& problem) {
        return problem.what();
    }
}

TEST(BlockShapes, ThatAreIllegalAreRefusedWithThoseThatAreNot) {
    EXPECT_EQ(refusal("matmul_tiled", "8x8", {800, 800}), "--block 8x8: matmul_tiled takes no such block; there is 16x16, 25x25, 32x32");
    EXPECT_EQ(refusal("matmul_tiled", "16x16", {1000, 1000}),
              "--block 16x16: the size 1000 is no multiple of it, as matmul_tiled needs; there is 25x25");
    EXPECT_EQ(refusal("matmul_global", "64x32", {100, 100}),
              "--block 64x32: a block has at most 1024 threads on paper, 1024 along x and 1024 along y");
    EXPECT_EQ(refusal("matmul_tiled", "", {7, 7}),
              "--size 7: no block of matmul_tiled fits; it has 16x16, 25x25, 32x32, and the size must be a multiple of one");
    EXPECT_EQ(refusal("matmul_global", "7x9", {100, 100}), "");
    for (const char* const wrong : {"0x8", "8", "8x", "x8", "8x8x1", "-8x8", "ax8", "99999999999x1"}) {
        EXPECT_EQ(refusal("matmul_global", wrong, {100, 100}),
                  std::string("--block ") + wrong + ": give threads along x and y, as in 32x8");
    }
}

TEST(Catalogue, NamesEachKernelOnceWithAllThatAStudyNeeds) {
    std::set<std::string> names;
    for (const StudyKernel& kernel : study_kernels()) {
        const std::string name = kernel.lab + "/" + kernel.name;
        EXPECT_TRUE(names.insert(name).second) << name;
        const StudyDevice device = device_with(1024);
        const BlockShape block = block_for(kernel, "", kernel.usual_size, device);
        const StudyCall call = kernel.call(kernel.usual_size, block);
        EXPECT_EQ(std::count_if(call.arrays.begin(), call.arrays.end(), [](const StudyArray& array) { return array.is_output; }), 1)
            << name;
        double bytes = 0;
        for (const StudyArray& array : call.arrays) bytes += 4.0 * static_cast<double>(array.count);
        EXPECT_EQ(kernel.work(kernel.usual_size, 4).bytes, bytes) << name << ": each array once";
        EXPECT_EQ(kernel.blocks.is_own, legal_blocks(kernel, kernel.usual_size, device).empty()) << name;
    }
    EXPECT_EQ(names.count("lab2/matmul_global"), 1U);
    EXPECT_EQ(names.count("lab5/smem_pad"), 1U);
}

TEST(Catalogue, CountsTheOperationsOfAProductAndNoneOfATranspose) {
    EXPECT_EQ(kernel_named("matmul_tiled").work({10, 10}, 4).flops, 2000);
    EXPECT_EQ(kernel_named("matvec_any").work({30, 20}, 4).flops, 1200);
    EXPECT_EQ(kernel_named("matvec_any").call({30, 20}, {8, 8}).integers.at("cols"), 30);
    EXPECT_EQ(kernel_named("matmul_any").work({30, 20}, 4).flops, 2 * 30 * 20 * 20);
    EXPECT_EQ(kernel_named("naive_row").work({30, 20}, 4).flops, 0);
    EXPECT_EQ(kernel_named("naive_row").call({30, 20}, {16, 8}).integers.at("nx"), 30);
    EXPECT_EQ(kernel_named("naive_row").call({30, 20}, {16, 8}).integers.at("block_y"), 8);
}

TEST(BlockShapes, ThatAKernelChoosesItselfAreNotForUs) {
    EXPECT_EQ(refusal("matmul_any", "", {100, 100}), "");
    EXPECT_EQ(refusal("matmul_any", "8x8", {100, 100}), "--block 8x8: matmul_any chooses its own block; leave --block out");
}

Sweep three_rows() {
    Sweep sweep;
    sweep.subject = "lab2/matmul_global";
    sweep.work = {2e6, 0};
    sweep.device = device_with(1024);
    sweep.shapes = 4;
    sweep.rows = {{{8, 8}, {3.0, 4.0, 5.0}, {}}, {{64, 16}, {}, "it needs too many registers"}, {{32, 8}, {9.0, 2.0, 1.0}, {}}};
    return sweep;
}

TEST(SweepTable, IsSortedByMedians) {
    const std::vector<SweepRow> rows = sorted(three_rows().rows);
    EXPECT_EQ(rows[0].block, (BlockShape{32, 8}));
    EXPECT_EQ(rows[1].block, (BlockShape{8, 8}));
    EXPECT_EQ(rows[2].block, (BlockShape{64, 16}));
    const std::string text = table(three_rows());
    EXPECT_LT(text.find("32x8"), text.find("8x8 "));
    EXPECT_LT(text.find("8x8 "), text.find("64x16"));
    EXPECT_NE(text.find("2.0000 ms"), std::string::npos) << text;
    EXPECT_NE(text.find("2.00x"), std::string::npos) << text;  // 4 ms against 2 ms
    EXPECT_NE(text.find("it needs too many registers"), std::string::npos) << text;
    EXPECT_NE(text.find("modelled for paper"), std::string::npos) << text;
    EXPECT_EQ(text.find("same time"), std::string::npos) << text;
}

TEST(SweepTable, SaysWhyModelledTimesTie) {
    Sweep sweep = three_rows();
    sweep.rows[0].times_ms = {2.0};
    EXPECT_NE(table(sweep).find("same counts get the same time"), std::string::npos) << table(sweep);
    sweep.device.is_modelled = false;
    EXPECT_EQ(table(sweep).find("same counts get the same time"), std::string::npos) << table(sweep);
}

TEST(SweepJson, TellsWhetherItIsWhole) {
    Sweep sweep = three_rows();
    EXPECT_EQ(to_json(sweep).at("is_whole"), false);
    sweep.shapes = 3;
    EXPECT_EQ(to_json(sweep).at("is_whole"), true);
    EXPECT_DOUBLE_EQ(to_json(sweep).at("rows").at(0).at("gflop_per_s").get<double>(), 1);  // 2e6 operations in 2 ms
    EXPECT_EQ(to_json(sweep).at("rows").at(2).count("ms"), 0U);
}

TEST(DemoTable, ShowsGainsBesideThePublishedOnes) {
    Demo demo;
    demo.device = device_with(1024);
    demo.side = 1024;
    demo.rows = {{DemoStep::cpu_product, "lab1/matmul_ijk", {90, 100, 110}, false, {2e9, 0}},
                 {DemoStep::tiled_product, "lab3/matmul_tiled", {0.5}, true, {2e9, 0}},
                 {DemoStep::cpu_transpose, "lab1/transpose", {40}, false, {0, 2e9}},
                 {DemoStep::diagonal, "lab6/diagonal_smem_pad", {4}, true, {0, 2e9}}};
    const std::string text = table(demo);
    EXPECT_NE(text.find("100.0000 ms  measured"), std::string::npos) << text;
    EXPECT_NE(text.find("0.5000 ms  modelled"), std::string::npos) << text;
    EXPECT_NE(text.find("200x"), std::string::npos) << text;
    EXPECT_NE(text.find("24.34 ms (1664x)"), std::string::npos) << text;
    EXPECT_NE(text.find("4000.0"), std::string::npos) << text;  // 2e9 operations in 0.5 ms, in GFLOP/s
    EXPECT_NE(text.find("10x"), std::string::npos) << text;
    EXPECT_NE(text.find("69.5 / 81.4 / 106.7 GB/s"), std::string::npos) << text;
    EXPECT_NE(text.find("transpose 2048x2048"), std::string::npos) << text;
    demo.device.id = "m2090";
    EXPECT_NE(table(demo).find("published: M2090"), std::string::npos) << table(demo);
    EXPECT_EQ(table(demo).find("69.5"), std::string::npos) << table(demo);
    EXPECT_NE(table(demo).find("81.4 GB/s"), std::string::npos) << table(demo);
}

}  // namespace
}  // namespace lab::tools
