// The JSON that `lab run --json` writes, field by field, and the table beside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "common/emulator/server/kernel_run.h"
#include "common/trace/json.h"

namespace lab::cuda {
namespace {

trace::Launch sample() {
    trace::Launch record;
    record.kernel = "add(float*, int)";
    record.grid = {4, 3, 2};
    record.block = {32, 8, 1};
    record.shared_bytes = 1024;
    record.dynamic_shared_bytes = 256;
    record.counters.warp_instructions = 100;
    record.counters.thread_instructions = 3200;
    record.counters.global_load = {.requests = 10, .sectors = 80, .transactions = 20, .lines = 30, .bytes = 1280};
    record.counters.global_store = {.requests = 5, .sectors = 20, .transactions = 5, .lines = 6, .bytes = 640};
    record.counters.shared_load = {.requests = 7, .bytes = 896, .wavefronts = 14, .conflicts = 7};
    record.counters.shared_store = {.requests = 3, .bytes = 384, .wavefronts = 3};
    record.counters.constant_load = {.requests = 6, .bytes = 768, .wavefronts = 9, .conflicts = 3};
    record.counters.mapped_load = {.requests = 2, .sectors = 4, .transactions = 3, .lines = 2, .bytes = 64};
    record.counters.mapped_store = {.requests = 1, .sectors = 1, .transactions = 1, .lines = 1, .bytes = 32};
    record.counters.slowest = {25 * trace::one_q6, 3 * trace::one_q4, 2 * trace::one_q4};
    record.counters.saved_loads = 3;
    record.counters.saved_wavefronts = 2;
    record.counters.sass_instructions = 5;
    record.counters.fp32_instructions = 40;
    record.counters.fp64_instructions = 30;
    record.counters.special_instructions = 20;
    record.counters.block_barriers = 12;
    record.counters.branches = 9;
    record.counters.divergent_branches = 2;
    record.counters.barriers = 4;
    record.modelled_ms = 0.25;
    record.bound = "DRAM";
    record.model.launch_ms = 0.003;
    record.model.resource_ms = {{trace::Resource::dram, 0.2}, {trace::Resource::waiting, 0.1}};
    record.device = "h100";
    record.occupancy = {0.75, 6, "registers", 40};
    return record;
}

TEST(LaunchReport, JsonHasExactlyTheAgreedFields) {
    const nlohmann::json expected = nlohmann::json::parse(R"json({
        "kernel": "add(float*, int)", "grid": [4, 3, 2], "block": [32, 8, 1], "shared_bytes": 1024,
        "dynamic_shared_bytes": 256,
        "instructions": {"warp": 100, "thread": 3200}, "arithmetic": {"fp32": 40, "fp64": 30, "special": 20},
        "global_load": {"requests": 10, "sectors": 80, "transactions": 20, "lines": 30, "bytes": 1280, "efficiency": 0.5},
        "global_store": {"requests": 5, "sectors": 20, "transactions": 5, "lines": 6, "bytes": 640, "efficiency": 1.0},
        "shared_load": {"requests": 7, "bytes": 896, "wavefronts": 14, "conflicts": 7},
        "shared_store": {"requests": 3, "bytes": 384, "wavefronts": 3, "conflicts": 0},
        "constant_load": {"requests": 6, "passes": 9, "bytes": 768},
        "mapped_load": {"requests": 2, "sectors": 4, "transactions": 3, "lines": 2, "bytes": 64, "efficiency": 0.5},
        "mapped_store": {"requests": 1, "sectors": 1, "transactions": 1, "lines": 1, "bytes": 32, "efficiency": 1.0},
        "slowest_warps": {"dependent_instructions": 25, "global_waits": 3, "shared_waits": 2, "barriers": 12},
        "sass": {"saved_loads": 3, "saved_wavefronts": 2, "instructions": 5},
        "branches": {"total": 9, "divergent": 2}, "barriers": 4,
        "occupancy": {"theoretical": 0.75, "blocks": 6, "limit": "registers", "registers": 40},
        "modelled_ms": 0.25, "bound": "DRAM",
        "model": {"launch_ms": 0.003, "resource_ms": {"DRAM": 0.2, "latency (too few outstanding loads)": 0.1}},
        "device": "h100"})json");
    EXPECT_EQ(nlohmann::json(sample()), expected);
    EXPECT_EQ(nlohmann::json(expected.get<trace::Launch>()), expected) << "read back";
}

TEST(LaunchReport, JsonTellsOfTheSampleThatTheModelUsed) {
    trace::Launch record = sample();
    record.model.sample = {
        80, 20, 40, 15, 12, 7, 60, 30, 25, 9, 2, 96, 44, 700, 600, 5, 4, {12, true, 340, {1, 2}, {5, 6}, {9, 10}}, {6, 50, 70, 8}};
    const nlohmann::json expected =
        nlohmann::json::parse(R"json({"blocks": 96, "lines": 44, "load_sectors": 80, "load_lines": 20, "missed_sectors": 40,
        "missed_lines": 15, "load_requests": 12, "waiting_requests": 7, "stored_sectors": 60, "forwarded_sectors": 30, "forwarded_in_part": 25,
        "constant_lines": 9, "missed_constant_lines": 2, "distinct_load_sectors": 700, "distinct_store_sectors": 600, "load_rows": 5,
        "store_rows": 4, "window": {"blocks": 12, "fills_cache": true, "accesses": 340, "loaded": [1, 2], "stored": [5, 6],
        "stored_in_part": [9, 10]}, "open": {"blocks": 6, "lines": 50, "sectors": 70, "left": 8}})json");
    EXPECT_EQ(nlohmann::json(record)["model"]["sample"], expected);
}

TEST(LaunchReport, JsonTellsOfPartitionsWhereADeviceHasThem) {
    trace::Launch record = sample();
    EXPECT_FALSE(nlohmann::json(record).contains("partitions"));
    record.partitions = {{{100, 300}, 300}, {{0, 200}, 200}, {}, 1, {100, 300}, {0, 200}};
    const nlohmann::json expected = nlohmann::json::parse(R"json({"waves": 1, "load": {"bytes": [100, 300], "busiest": 300, "camping": 1.5},
        "store": {"bytes": [0, 200], "busiest": 200, "camping": 2.0}, "load_waves": [100, 300], "store_waves": [0, 200]})json");
    EXPECT_EQ(nlohmann::json(record)["partitions"], expected);
}

TEST(LaunchReport, JsonOfLinesHasWhatTheyAccess) {
    trace::Launch record = sample();
    record.lines = {{"a.cu", 7, {}}};
    record.lines[0].counters.global_atomic = {.requests = 2, .sectors = 2, .transactions = 2, .lines = 2, .bytes = 32};
    const nlohmann::json expected = nlohmann::json::parse(R"json([{"file": "a.cu", "line": 7, "global_atomic":
        {"requests": 2, "sectors": 2, "transactions": 2, "lines": 2, "bytes": 32, "efficiency": 0.5}}])json");
    EXPECT_EQ(nlohmann::json(record)["lines"], expected);
    EXPECT_EQ(nlohmann::json(nlohmann::json(record).get<trace::Launch>())["lines"], expected);
}

TEST(LaunchReport, EfficiencyWithoutAnyAccessIsZero) {
    trace::Launch record = sample();
    record.counters.global_load = {};
    EXPECT_EQ(nlohmann::json(record)["global_load"]["efficiency"], 0.0);
}

TEST(LaunchReport, TableHasTwoLinesForEachLaunch) {
    const std::string table = to_table({sample(), sample()});
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 2 + 2 * 2);
    EXPECT_NE(table.find("\nadd, grid 4x3x2, blocks 32x8x1\n"), std::string::npos) << table;
    EXPECT_NE(table.find("         100        8.0        4.0          7         2      DRAM      0.2500\n"), std::string::npos) << table;
    EXPECT_EQ(to_table({}), "no kernel was launched\n");
}

TEST(LaunchReport, TableFitsEightyColumns) {
    trace::Launch record = sample();
    record.kernel = "product<" + std::string(40, 'n') + ", " + std::string(40, 'm') + ">(float*)";
    record.is_estimate = true;
    record.grid = {2147483647, 65535, 65535};
    record.counters.warp_instructions = 999'999'999'999;
    record.counters.divergent_branches = 999'999'999;
    record.counters.shared_load.conflicts = 1'000'000'000;
    record.modelled_ms = 99999.9;
    std::istringstream lines(to_table({record}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace lab::cuda
