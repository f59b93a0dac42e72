// Figures derived from counts, worked out by hand, and their display in the studies.
#include "common/tools/studies/figures.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/profile.h"

namespace lab::tools {
namespace {

// 10 warp loads of 4-byte words in 5 sectors each, 4 stores of 32 sectors, 8 shared loads in 4 passes each, 8 stores in one.
trace::Launch launch() {
    trace::Launch launch;
    launch.kernel = "void twist<8>(float*, int)";
    launch.grid = {4, 2, 1};
    launch.block = {32, 8, 1};
    launch.counters.global_load = {.requests = 10, .sectors = 50, .bytes = 1280};
    launch.counters.global_store = {.requests = 4, .sectors = 128, .bytes = 512};
    launch.counters.shared_load = {.requests = 8, .bytes = 1024, .wavefronts = 32};
    launch.counters.shared_store = {.requests = 8, .bytes = 1024, .wavefronts = 8};
    launch.counters.branches = 20;
    launch.counters.divergent_branches = 5;
    launch.counters.warp_instructions = 777;
    launch.occupancy.theoretical = 0.75;
    launch.occupancy.limit = "registers";
    launch.modelled_ms = 0.5;
    launch.bound = "DRAM";
    return launch;
}
trace::LineCounts line(std::uint32_t number) { return {LAB_SOURCE_FOLDER "/tests/tools/studies/three_lines.txt", number, {}}; }

TEST(Figures, FollowFromCounts) {
    const Figures figures = figures_of(launch());
    EXPECT_DOUBLE_EQ(figures.at("gld_efficiency"), 80);  // 1280 of 50 * 32 bytes
    EXPECT_DOUBLE_EQ(figures.at("gst_efficiency"), 12.5);
    EXPECT_DOUBLE_EQ(figures.at("gld_transactions"), 50);
    EXPECT_DOUBLE_EQ(figures.at("gld_transactions_per_request"), 5);
    EXPECT_DOUBLE_EQ(figures.at("gst_transactions_per_request"), 32);
    EXPECT_DOUBLE_EQ(figures.at("shared_efficiency"), 40);  // 2048 of 40 * 128 bytes
    EXPECT_DOUBLE_EQ(figures.at("shared_load_transactions_per_request"), 4);
    EXPECT_DOUBLE_EQ(figures.at("shared_store_transactions_per_request"), 1);
    EXPECT_DOUBLE_EQ(figures.at("branch_efficiency"), 75);
    EXPECT_DOUBLE_EQ(figures.at("achieved_occupancy"), 75);
    EXPECT_DOUBLE_EQ(figures.at("inst_executed"), 777);
    EXPECT_DOUBLE_EQ(figures.at("time"), 0.5);
}

TEST(Figures, LeaveOutTheEfficiencyOfNoAccess) {
    trace::Launch nothing = launch();
    nothing.counters.shared_load = nothing.counters.shared_store = {};
    nothing.counters.branches = nothing.counters.divergent_branches = 0;
    const Figures figures = figures_of(nothing);
    EXPECT_EQ(figures.count("shared_efficiency"), 0U);
    EXPECT_EQ(figures.count("shared_load_transactions_per_request"), 0U);
    EXPECT_EQ(figures.count("branch_efficiency"), 0U);
    EXPECT_EQ(figures.at("shared_load_transactions"), 0);
}

TEST(Figures, OfSeveralLaunchesAddUpBeforeTheyAreDivided) {
    trace::Launch sum = launch();
    trace::Launch other = launch();
    other.counters.global_load = {.requests = 30, .sectors = 30, .bytes = 120};
    sum.counters += other.counters;
    const Figures figures = figures_of(sum);
    EXPECT_DOUBLE_EQ(figures.at("gld_transactions_per_request"), 2);  // 80 sectors, 40 requests
    EXPECT_DOUBLE_EQ(figures.at("gld_efficiency"), 1400 / (80 * 32.0) * 100);
    EXPECT_DOUBLE_EQ(figures.at("inst_executed"), 1554);
}

TEST(SourceTable, PutsCountsBesideTheirLines) {
    Profile profile;
    profile.title = "twist";
    profile.launch = launch();
    profile.launch->lines = {line(1), line(3)};
    profile.launch->lines[0].counters.global_load = {.requests = 10, .sectors = 45};
    profile.launch->lines[1].counters.shared_store = {.requests = 4, .wavefronts = 32};
    profile.launch->lines[1].counters.shared_atomic = {.requests = 4, .wavefronts = 32};
    const std::string text = source_table(profile, 200);
    const auto line_with = [&](const std::string& what) {
        const std::size_t at = text.find(what);
        const std::size_t start = text.rfind('\n', at) + 1;
        return at == std::string::npos ? "" : text.substr(start, text.find('\n', at) - start);
    };
    EXPECT_NE(line_with("first = in[i];").find("10 (4.50)"), std::string::npos) << text;
    EXPECT_EQ(line_with("second();").find('('), line_with("second();").find("();")) << text;
    EXPECT_NE(line_with("third = first;").find("8 (8.00)"), std::string::npos) << text;
}

TEST(Figures, HaveTheirNamesOnceAndBothWays) {
    std::map<std::string, int> nvprof;
    std::map<std::string, int> ncu;
    for (const Metric& metric : metrics()) {
        ++nvprof[metric.nvprof];
        if (metric.ncu != "n/a") ++ncu[metric.ncu];
    }
    for (const auto& [name, count] : nvprof) EXPECT_EQ(count, 1) << name;
    for (const auto& [name, count] : ncu) EXPECT_EQ(count, 1) << name;
    EXPECT_EQ(ncu.count("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"), 1U);
}

TEST(Figures, OfTheHardwareComeFromItsTable) {
    const auto launches = parse_hardware_counters(
        "\"ID\",\"Kernel Name\",\"CC\",\"Grid Size\",\"Block Size\",\"gpu__time_duration.sum\","
        "\"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct\","
        "\"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct\",\"sm__warps_active.avg.pct_of_peak_sustained_active\","
        "\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\",\"smsp__inst_executed_op_shared_ld.sum\","
        "\"smsp__sass_average_branch_targets_threads_uniform.pct\"\n"
        "\"0\",\"k(float *)\",\"9.0\",\"(1, 1, 1)\",\"(32, 1, 1)\",\"12,500\",\"62.50\",\"n/a\",\"93.7\",\"640\",\"160\",\"0\"\n",
        "here");
    ASSERT_EQ(launches.size(), 1U);
    const Figures figures = figures_of_hardware(launches[0].metrics);
    EXPECT_DOUBLE_EQ(figures.at("time"), 0.0125);
    EXPECT_DOUBLE_EQ(figures.at("gld_efficiency"), 62.5);
    EXPECT_DOUBLE_EQ(figures.at("achieved_occupancy"), 93.7);
    EXPECT_DOUBLE_EQ(figures.at("shared_load_transactions_per_request"), 4);
    EXPECT_EQ(figures.count("shared_efficiency"), 0U);
    EXPECT_EQ(figures.count("branch_efficiency"), 0U) << "ncu says 0 % of no branches";
}

TEST(ProfileOfAProgram, OnAGpuHasAColumnForEachKernelAndShapeThatNcuCounted) {
    const std::string twist = "\"void twist<32>(float *)\",\"9.0\",\"(2, 1, 1)\",\"(32, 8, 1)\"";
    const auto launches = parse_hardware_counters(
        "\"ID\",\"Kernel Name\",\"CC\",\"Grid Size\",\"Block Size\",\"gpu__time_duration.sum\",\"smsp__inst_executed.sum\"\n"
        "\"0\"," +
            twist + ",\"2,000\",\"10\"\n\"1\"," + twist +
            ",\"1,000\",\"10\"\n"
            "\"2\",\"copy(float *)\",\"9.0\",\"(1, 1, 1)\",\"(32, 1, 1)\",\"500\",\"3\"\n",
        "here");
    const std::vector<Profile> profiles = profiles_of(launches, "", "twist.cu");
    ASSERT_EQ(profiles.size(), 2U);
    EXPECT_EQ(profiles[0].title, "twist<32>");
    EXPECT_EQ(profiles[0].subject, "twist.cu: twist<32>, grid 2x1, blocks 32x8");
    EXPECT_DOUBLE_EQ(profiles[0].figures.at("time"), 0.002);
    EXPECT_DOUBLE_EQ(profiles[1].figures.at("inst_executed"), 3);
    EXPECT_FALSE(profiles[0].throughput.gb_per_s);
    EXPECT_EQ(profiles_of(launches, "copy", "twist.cu").size(), 1U);
    EXPECT_THROW((void)profiles_of(launches, "nosuch", "twist.cu"), BadInput);

    Profiles shown;
    shown.device.is_modelled = false;
    shown.device.name = "NVIDIA Test";
    shown.all = profiles;
    const std::string text = table(shown, 200);
    EXPECT_NE(text.find("measured on NVIDIA Test"), std::string::npos) << text;
    EXPECT_EQ(text.find("modelled"), std::string::npos) << text;
    EXPECT_EQ(text.find("theoretical"), std::string::npos) << text;
}

StudyDevice device_of(double gb_per_s, double gflop_per_s) {
    StudyDevice device;
    device.id = "paper";
    device.memory_gb_per_s = gb_per_s;
    device.float_gflop_per_s = gflop_per_s;
    device.double_gflop_per_s = gflop_per_s / 2;
    return device;
}

TEST(Throughput, IsMeasuredAgainstTheSideOfTheRooflineThatBinds) {
    // 1e9 bytes at 100 GB/s take 10 ms; 1e9 operations at 1000 GFLOP/s take 1 ms.
    const Throughput memory = throughput({1e9, 1e9}, 20, device_of(100, 1000), false);
    EXPECT_DOUBLE_EQ(*memory.gb_per_s, 50);
    EXPECT_DOUBLE_EQ(*memory.gflop_per_s, 50);
    EXPECT_DOUBLE_EQ(*memory.roofline, 0.5);
    EXPECT_EQ(memory.side, "memory");
    const Throughput arithmetic = throughput({1e11, 1e9}, 200, device_of(100, 1000), false);
    EXPECT_DOUBLE_EQ(*arithmetic.roofline, 0.5);
    EXPECT_EQ(arithmetic.side, "arithmetic");
    EXPECT_DOUBLE_EQ(*throughput({1e11, 1e9}, 200, device_of(100, 1000), true).roofline, 1);
}

TEST(Throughput, SaysNothingWhereNothingIsKnown) {
    const Throughput copy = throughput({0, 1e9}, 20, device_of(100, 0), false);
    EXPECT_FALSE(copy.gflop_per_s);
    EXPECT_DOUBLE_EQ(*copy.roofline, 0.5);
    EXPECT_FALSE(throughput({1e9, 1e9}, 20, device_of(0, 0), false).roofline);
    EXPECT_FALSE(throughput({1e9, 1e9}, 0, device_of(100, 1000), false).gb_per_s);
}

TEST(ProfileTable, ShowsBothNamesAndWhatIsModelled) {
    Profiles profiles;
    profiles.device.id = "h100";
    profiles.all = profiles_of(std::vector{launch()}, "", "twist.cu");
    profiles.all[0].hardware = Figures{{"gst_efficiency", 13.0}};
    const std::string text = table(profiles, 200);
    EXPECT_NE(text.find("times are modelled for h100"), std::string::npos) << text;
    EXPECT_NE(text.find("time (modelled)"), std::string::npos) << text;
    EXPECT_NE(text.find("achieved_occupancy (theoretical)"), std::string::npos) << text;
    const std::size_t line = text.find("gst_efficiency");
    const std::string store = text.substr(line, text.find('\n', line) - line);
    EXPECT_NE(store.find("12.5 %"), std::string::npos) << store;
    EXPECT_NE(store.find("13.0 %"), std::string::npos) << store;
    EXPECT_NE(store.find("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"), std::string::npos) << store;
    EXPECT_NE(text.find("registers\n"), std::string::npos) << text;
    EXPECT_NE(text.find("DRAM\n"), std::string::npos) << text;
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (const std::string& line : lines_of(text)) widest = std::max(widest, line.size());
    return widest;
}

TEST(ProfileTable, PutsKernelsBelowEachOtherWhereTheyDontFit) {
    Profiles profiles;
    profiles.device.id = "h100";
    Profile profile = profiles_of(std::vector{launch()}, "", "twist.cu")[0];
    for (const char* const title : {"one_of_many_kernels", "another_of_many", "a_third_one"}) {
        profile.title = title;
        profiles.all.push_back(profile);
    }
    const std::string narrow = table(profiles, 80);
    EXPECT_LE(widest_line(narrow), 80U) << narrow;
    const std::string first_head = narrow.substr(narrow.find("nvprof's name"), 80);
    EXPECT_NE(first_head.find("one_of_many_kernels  another_of_many\n"), std::string::npos) << narrow;
    EXPECT_NE(narrow.find("a_third_one\n"), std::string::npos) << narrow;
    std::size_t efficiencies = 0;
    for (std::size_t at = narrow.find("\ngld_efficiency"); at != std::string::npos; at = narrow.find("\ngld_efficiency", at + 1))
        ++efficiencies;
    EXPECT_EQ(efficiencies, 2U) << narrow;
    EXPECT_EQ(narrow.find("smsp__"), std::string::npos) << narrow;
    EXPECT_NE(table(profiles, 170).find("one_of_many_kernels  another_of_many  a_third_one  Nsight"), std::string::npos);
}

TEST(SourceTable, PutsCountsBelowTheirLinesOnANarrowTerminal) {
    Profile profile;
    profile.launch = launch();
    profile.launch->lines = {line(1)};
    profile.launch->lines[0].counters.global_load = {.requests = 10, .sectors = 45};
    profile.launch->lines[0].counters.shared_store = {.requests = 4, .wavefronts = 32};
    const std::string text = source_table(profile, 80);
    EXPECT_NE(text.find("first = in[i];\n       ^ global loads 10 (4.50), shared stores 4 (8.00)\n"), std::string::npos) << text;
}

// The page has the names that a narrow table leaves out.
TEST(Figures, NamesOfNsightComputeStandInTheHandout) {
    const std::string page = read_whole(LAB_SOURCE_FOLDER "/handouts/profiling.md");
    for (const Metric& metric : metrics())
        EXPECT_NE(page.find("| `" + metric.nvprof + "` | `" + metric.ncu + "` |\n"), std::string::npos)
            << metric.nvprof << " | " << metric.ncu;
}

TEST(ProfileOnAGpu, KeepsTheMeasuredTimeBesideTheEmulatorsCounts) {
    Profiles profiles;
    profiles.device.is_modelled = false;
    profiles.device.name = "NVIDIA Test";
    Profile profile;
    profile.title = "twist";
    profile.figures["time"] = 0.125;
    profile.throughput.side = "memory";
    take_counters(launch(), &profile);
    EXPECT_DOUBLE_EQ(profile.figures.at("time"), 0.125);
    EXPECT_DOUBLE_EQ(profile.figures.at("gld_transactions"), 50);
    profiles.all = {profile};
    const std::string text = table(profiles, 200);
    EXPECT_NE(text.find("times are measured on NVIDIA Test"), std::string::npos) << text;
    EXPECT_NE(text.find("time (measured)"), std::string::npos) << text;
    EXPECT_EQ(text.find("DRAM"), std::string::npos) << "the model's limit is another device's\n" << text;
    EXPECT_EQ(text.find("odelled"), std::string::npos) << text;
}

TEST(ProfileOfAProgram, ShowsEachShapeOnceAndCanBeNarrowed) {
    trace::Launch other = launch();
    other.kernel = "copy(float*)";
    trace::Launch wide = launch();
    wide.grid = {8, 2, 1};
    const std::vector<trace::Launch> launches{launch(), launch(), other, wide};
    EXPECT_EQ(profiles_of(launches, "", "twist.cu").size(), 3U);
    ASSERT_EQ(profiles_of(launches, "twist", "twist.cu").size(), 2U);
    EXPECT_EQ(profiles_of(launches, "copy", "twist.cu")[0].title, "copy");
    trace::Launch unnamed = launch();
    unnamed.kernel = "void (anonymous namespace)::rotate<(anonymous namespace)::Way, 2>((anonymous namespace)::Way)";
    EXPECT_EQ(profiles_of(std::vector{unnamed}, "rotate", "rotate.cu")[0].title, "rotate<Way, 2>");
    // 1792 bytes asked for in half a millisecond
    EXPECT_DOUBLE_EQ(*profiles_of(launches, "twist", "twist.cu")[0].throughput.gb_per_s, 1792 / 0.5 * 1e-6);
}

TEST(ProfileOfAProgram, NamesTheKernelsThatThereAre) {
    try {
        (void)profiles_of(std::vector{launch()}, "nosuch", "twist.cu");
        FAIL();
    } catch (const BadInput& problem) {
        EXPECT_STREQ(problem.what(), "twist.cu: it launched no kernel 'nosuch'; it launched: twist");
    }
    EXPECT_THROW((void)profiles_of(std::vector<trace::Launch>(), "", "empty.cu"), BadInput);
}

}  // namespace
}  // namespace lab::tools
