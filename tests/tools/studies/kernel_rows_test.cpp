// Rows of measured times: the file, results from errors and order, and `lab fidelity --rows` on it.
#include "tests/model/kernel_rows.h"

#include <gtest/gtest.h>

#include <regex>

#include "common/tools/errors.h"
#include "tests/tools/studies/fidelity_command.h"

namespace lab::tools {
namespace {

KernelRow row(const std::string& kernel, int side, BlockShape block, double ms) {
    return {"lab5", kernel, {side, side}, block, ms, {}, {}};
}

TEST(KernelRows, AreReadAsTheyWereWritten) {
    const Sandbox box;
    KernelRows rows;
    rows.about = {{"device", "NVIDIA H200"}, {"fitted_sizes", {1024}}};
    rows.rows = {row("copy_row", 512, {32, 8}, 0.004224), row("naive_col", 1024, {0, 0}, 12.5)};
    rows.rows[1].counts = RowCounts{1, 4, 2, std::uint64_t{1} << 40U};
    const KernelRows read = read_rows(box.write("rows.jsonl", to_lines(rows)));
    EXPECT_EQ(read.about, rows.about);
    ASSERT_EQ(read.rows.size(), 2U);
    EXPECT_EQ(read.rows[0].name(), "lab5/copy_row");
    EXPECT_EQ(read.rows[0].at(), "512, 32x8");
    EXPECT_EQ(read.rows[0].ms, 0.004224);
    EXPECT_FALSE(read.rows[0].counts);
    EXPECT_EQ(read.rows[1].at(), "1024, its own");
    EXPECT_EQ(read.rows[1].counts, rows.rows[1].counts);
    EXPECT_FALSE(read.is_fitted(read.rows[0]));
    EXPECT_TRUE(read.is_fitted(read.rows[1]));
}

std::string refusal(const std::string& text) {
    const Sandbox box;
    const std::filesystem::path file = box.write("rows.jsonl", text);
    try {
        (void)read_rows(file);
    } catch (const BadInput& problem) {
        const std::string what = problem.what();
        return what.substr(what.find("rows.jsonl"));
    }
    return "none";
}

TEST(KernelRows, WhatIsWrongWithAFileIsSaidInALine) {
    const std::string head = "{\"device\": \"a\"}\n";
    const std::string good = to_line(row("copy_row", 512, {32, 8}, 1)) + "\n";
    const std::string advice = "; ./lab fidelity --measure makes such files";
    EXPECT_EQ(refusal(head + good), "none");
    EXPECT_EQ(refusal(""), "rows.jsonl: holds no rows" + advice);
    EXPECT_EQ(refusal(head), "rows.jsonl: holds no rows" + advice);
    EXPECT_EQ(refusal(good), "rows.jsonl:1: names no device" + advice);
    EXPECT_EQ(refusal("{\"device\": \"a\", \"kernels\": \"others\"}\n" + good), "none");
    EXPECT_EQ(refusal("{\"device\": \"a\", \"kernels\": 7}\n" + good),
              "rows.jsonl:1: \"kernels\" is neither \"labs\" nor \"others\"" + advice);
    EXPECT_EQ(refusal(head + good + "[]\n"), "rows.jsonl:3: no JSON object" + advice);
    EXPECT_EQ(refusal(head + "{\"lab\": \"lab5\"}\n"), "rows.jsonl:2: no row with lab, kernel, size, block and ms" + advice);
    EXPECT_EQ(refusal(head + to_line(row("copy_row", 512, {32, 8}, 0))), "rows.jsonl:2: a time has to be above 0" + advice);
}

TEST(KernelRows, ErrorsAndOrdersCountRowsOfTheSameKernelSizeAndBlock) {
    KernelRows measured;
    measured.about = {{"device", "a"}, {"fitted_sizes", {1024}}};
    measured.rows = {row("copy_row", 512, {32, 8}, 1), row("copy_row", 512, {16, 16}, 1.1), row("naive_row", 512, {32, 8}, 2),
                     row("naive_row", 1024, {32, 8}, 10), row("smem", 1024, {32, 8}, 3)};
    const std::vector<KernelRow> modelled{row("naive_row", 1024, {32, 8}, 9), row("copy_row", 512, {16, 16}, 1.65),
                                          row("naive_row", 512, {32, 8}, 1.6), row("copy_row", 512, {32, 8}, 1.3)};
    const std::vector<RowPair> pairs = paired(measured, modelled);
    ASSERT_EQ(pairs.size(), 4U) << "nothing was modelled for smem";
    const RowFidelity fidelity = fidelity_of(pairs);
    EXPECT_NEAR(fidelity.all.mean(), (0.3 + 0.5 + 0.2 + 0.1) / 4, 1e-9);
    EXPECT_NEAR(fidelity.fitted.mean(), 0.1, 1e-9);
    EXPECT_NEAR(fidelity.predicted.mean(), (0.3 + 0.5 + 0.2) / 3, 1e-9);
    EXPECT_NEAR(fidelity.of_kernel.at("lab5/copy_row").mean(), 0.4, 1e-9);
    EXPECT_EQ(fidelity.all.worst->measured->at(), "512, 16x16");
    EXPECT_EQ(fidelity.beyond_half, 0U) << "50 % is not more than 50 %";
    EXPECT_EQ(fidelity.pairs, 2U) << "2 against 1 and 1.1; not 1.1 against 1, nor another size";
    EXPECT_EQ(fidelity.exchanged, 1U) << "1.6 is below 1.65";
}

TEST(KernelRows, KeepEachTimeThatTheyWereMeasured) {
    std::vector<KernelRow> rows{row("copy_row", 512, {32, 8}, 1), row("copy_col", 512, {32, 8}, 4)};
    add_times({row("copy_col", 512, {32, 8}, 6), row("smem", 512, {32, 8}, 9), row("copy_row", 512, {32, 8}, 3)}, &rows);
    add_times({row("copy_row", 512, {32, 8}, 1.5)}, &rows);
    EXPECT_EQ(rows[0].each_ms, (std::vector<double>{1, 3, 1.5}));
    EXPECT_EQ(rows[0].ms, 1.5);
    EXPECT_EQ(rows[1].ms, 5) << "between the two";
    const Sandbox box;
    const KernelRows read = read_rows(box.write("rows.jsonl", to_lines({{{"device", "a"}}, rows})));
    EXPECT_EQ(read.rows[0].each_ms, rows[0].each_ms);
    EXPECT_EQ(read.rows[0].ms, 1.5);
    const std::string bad = "{\"device\": \"a\"}\n" + to_line(rows[0]);
    EXPECT_NE(refusal(std::string(bad).replace(bad.find("3.0"), 1, "-3")).find("a time has to be above 0"), std::string::npos);
}

TEST(KernelRows, AnOrderIsOneThatEachTimeHas) {
    KernelRows measured;
    measured.rows = {row("copy_row", 512, {32, 8}, 1), row("copy_col", 512, {32, 8}, 2), row("smem", 512, {32, 8}, 1.5)};
    add_times({row("copy_row", 512, {32, 8}, 1), row("copy_col", 512, {32, 8}, 2), row("smem", 512, {32, 8}, 1.1)}, &measured.rows);
    add_times({row("copy_row", 512, {32, 8}, 1), row("copy_col", 512, {32, 8}, 2), row("smem", 512, {32, 8}, 0.9)}, &measured.rows);
    const std::vector<KernelRow> modelled{row("copy_row", 512, {32, 8}, 1), row("copy_col", 512, {32, 8}, 0.9),
                                          row("smem", 512, {32, 8}, 0.95)};
    const RowFidelity fidelity = fidelity_of(paired(measured, modelled));
    EXPECT_EQ(fidelity.times_over, 3U);
    EXPECT_EQ(fidelity.pairs_at_first, 3U);
    EXPECT_EQ(fidelity.exchanged_by_another, 1U) << "smem against copy_row";
    EXPECT_EQ(fidelity.pairs, 2U) << "copy_col against either";
    EXPECT_EQ(fidelity.exchanged, 2U);
}

HardwareLaunch counted(const std::string& kernel, double load_requests, double load_sectors, double store_requests, double store_sectors) {
    HardwareLaunch launch;
    launch.kernel = kernel;
    launch.metrics = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", load_requests},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", load_sectors},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", store_requests},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", store_sectors}};
    return launch;
}

TEST(KernelRows, GetTheLaunchesUpToTheNextEmptyKernel) {
    std::vector<KernelRow> rows{row("a", 512, {0, 0}, 1), row("b", 512, {0, 0}, 1), row("c", 512, {0, 0}, 1)};
    share_out({counted("void matmul_constant<float>(const float *, float *)", 1, 2, 3, 4), counted("matmul_constant(int)", 10, 20, 30, 40),
               counted("row_ends()", 0, 0, 0, 0), counted("copy_row(float *)", 5, 6, 7, 8), counted("row_ends()", 0, 0, 0, 0),
               counted("copy_row(float *)", 9, 9, 9, 9)},
              &rows);
    EXPECT_EQ(rows[0].counts, (RowCounts{11, 22, 33, 44})) << "two launches";
    EXPECT_EQ(rows[1].counts, (RowCounts{5, 6, 7, 8}));
    EXPECT_FALSE(rows[2].counts) << "the program ended within it";
}

class FidelityRows : public FidelityCommand {};

// 512 x 512 floats are 8192 requests of 32 threads, coalesced in 4 sectors each.
TEST_F(FidelityRows, ModelsAndCountsWhatTheFileHas) {
    KernelRows rows;
    rows.about = {{"device", "NVIDIA H200"}};
    rows.rows = {row("copy_row", 512, {32, 8}, 0.005), row("copy_col", 512, {32, 8}, 0.005), row("no_such_kernel", 512, {32, 8}, 0.005)};
    rows.rows[0].counts = RowCounts{8192, 32768, 8192, 32768};
    rows.rows[1].counts = RowCounts{8192, 32768, 8192, 32768};
    (void)box_.write("rows.jsonl", to_lines(rows));
    const Ending ending = lab({"--rows", "rows.jsonl", "--size", "512", "--sample", "0", "--json", "out.json"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const auto json = nlohmann::json::parse(box_.read("out.json"));
    EXPECT_EQ(json.at("modelled_for"), "h200");
    ASSERT_EQ(json.at("rows").size(), 2U);
    EXPECT_GT(json.at("rows")[0].at("modelled_ms"), 0.002);
    EXPECT_LT(json.at("rows")[0].at("modelled_ms"), 0.02);
    EXPECT_NE(ending.output.find("equal in 1 of 2 rows"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("lab5/copy_col at 512, 32x8: counted 8192/32768 8192/32768, emulated\n    8192/262144 8192/262144"),
              std::string::npos)
        << "columns: a sector for each of 32 threads\n"
        << ending.output;
}

TEST_F(FidelityRows, SaysInOneLineWhatItCantDo) {
    EXPECT_EQ(lab({"--rows", "none.jsonl"}).status, 2);
    (void)box_.write("rows.jsonl", "{\"device\": \"Voodoo 2\"}\n" + to_line(row("copy_row", 512, {32, 8}, 1)));
    const Ending unknown = lab({"--rows", "rows.jsonl"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_EQ(
        unknown.output.find("lab: rows.jsonl: measured on 'Voodoo 2', which no device's file describes; say which to model: --device"), 0U)
        << unknown.output;
    EXPECT_EQ(lab({"--rows", "rows.jsonl", "--device", "gtx1"}).status, 2);
    EXPECT_EQ(lab({"--rows", "rows.jsonl", "--size", "100"}).status, 2);
    EXPECT_EQ(lab({"--rows", "rows.jsonl", "--kernels", "others"}).status, 2) << "the file says it";
    EXPECT_EQ(lab({"--measure", "--kernels", "mine"}).status, 2);
    const Ending measure = lab({"--measure"});
    EXPECT_EQ(measure.status, 2);
    EXPECT_EQ(measure.output, "lab: --measure needs a GPU and nvcc: ./lab --backend gpu fidelity --measure, where they are\n");
}

}  // namespace
}  // namespace lab::tools
