// Plots of the studies: each number that is written is one of the JSON's, each mark where its values say, no text over another.
#include "common/report/plots/plots.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/report/chart.h"

namespace lab::report {
namespace {

using Json = nlohmann::ordered_json;

bool says(const Drawing& drawing, const std::string& text) {
    return std::any_of(drawing.texts().begin(), drawing.texts().end(),
                       [&](const PlacedText& placed) { return placed.text.find(text) != std::string::npos; });
}

void expect_readable(const Drawing& drawing) {
    const std::vector<PlacedText>& texts = drawing.texts();
    EXPECT_GE(drawing.extent().x, 0);
    EXPECT_GE(drawing.extent().y, 0);
    EXPECT_LE(drawing.extent().right(), Drawing::width);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_GE(texts[i].size, 11) << texts[i].text;
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(texts[i].box.overlaps(texts[j].box)) << "'" << texts[j].text << "' and '" << texts[i].text << "'";
    }
    EXPECT_NE(drawing.svg().find("prefers-color-scheme:dark"), std::string::npos);
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

TEST(Plots, AxesHaveRoundTicksThatHoldTheirValues) {
    const Axis occupancy = linear_axis("", 100, " %");
    EXPECT_EQ(occupancy.ticks.back().text, "100 %");
    EXPECT_DOUBLE_EQ(occupancy.most, 100);
    EXPECT_DOUBLE_EQ(linear_axis("", 255).most, 300);
    const Axis decades = decade_axis("", 0.13, 3483);
    EXPECT_DOUBLE_EQ(decades.least, 0.1);
    EXPECT_NEAR(decades.most, 10000, 1e-6);
    EXPECT_EQ(decades.ticks.size(), 6U);
    const Axis bytes = bytes_axis("", 1024, 1 << 26);
    EXPECT_EQ(bytes.ticks.front().text, "1 KiB");
    EXPECT_LE(bytes.ticks.size(), 7U);
}

TEST(Plots, BandwidthMarksAlphaBetaAndHalfPowerPoint) {
    // alpha 2 us, beta 10 GB/s: n1/2 is 20000 bytes, where the rate is 5.
    Json path{{"path", "host_to_device_pinned"},
              {"moved_bytes_a_byte", 1.0},
              {"alpha_us", 2.0},
              {"beta_gb_per_s", 10.0},
              {"half_power_bytes", 20000.0}};
    for (const double bytes : {1000.0, 20000.0, 1000000.0})
        path["transfers"].push_back({{"bytes", bytes}, {"ms", 0}, {"gb_per_s", bytes / (2000 + bytes / 10)}});
    const Drawing drawing = plot_bandwidth({{"times", "modelled for h100"}, {"paths", {path}}});
    expect_readable(drawing);
    EXPECT_TRUE(says(drawing, "α 2.00 µs, β 10.0 GB/s, n½ 19.53 KiB"));
    EXPECT_TRUE(says(drawing, "modelled for h100"));
    // The half-power point: ln(20)/ln(1000) of the way from 1000 to 1000000 bytes, 70 + 600 of it.
    EXPECT_NE(drawing.svg().find("<rect x=\"325.2\""), std::string::npos) << drawing.svg();
    EXPECT_EQ(count(drawing.svg(), "<circle"), 4U) << "three transfers and the key's sample";
}

TEST(Plots, SweepFramesTheShortestTimeAndShowsEach) {
    const Json rows = {
        {{"block", {32, 1}}, {"ms", 0.25}}, {{"block", {16, 16}}, {"ms", 0.125}}, {{"block", {64, 32}}, {"trouble", "too many"}}};
    const Drawing drawing = plot_sweep({{"times", "measured on a GPU"}, {"lab", "lab2"}, {"kernel", "matmul_global"}, {"rows", rows}});
    expect_readable(drawing);
    for (const char* const text : {"0.25", "0.125", "fails", "64", "lab2: matmul_global", "the shortest time (16x16)", "measured on a GPU"})
        EXPECT_TRUE(says(drawing, text)) << text;
}

TEST(Plots, ProfileHasAPointForEachKernelThatCalculates) {
    const Json kernels = {{{"lab", "lab3"},
                           {"kernel", "matmul_tiled"},
                           {"gflop_per_s", 500.0},
                           {"gb_per_s", 50.0},
                           {"peak_gflop_per_s", 1000.0},
                           {"share_of_roofline", 0.5},
                           {"roofline_side", "memory"}}};
    const Drawing drawing = plot_profile({{"times", "modelled for x"}, {"peaks", {{"gb_per_s", 100.0}}}, {"kernels", kernels}});
    expect_readable(drawing);
    EXPECT_TRUE(says(drawing, "500.0 GFLOP/s, 50.0 % of the roof (memory)"));
    EXPECT_TRUE(says(drawing, "Roof: 100.0 GB/s and 1000 GFLOP/s"));
    // 10 FLOP a byte on an axis from 1 to 100: its middle, 84 + 290.
    EXPECT_NE(drawing.svg().find("cx=\"374\""), std::string::npos) << drawing.svg();
    const Json copies = {{{"lab", "lab5"}, {"kernel", "smem"}, {"gb_per_s", 50.0}}};
    const Drawing bars = plot_profile({{"times", "modelled for x"}, {"peaks", {{"gb_per_s", 100.0}}}, {"kernels", copies}});
    expect_readable(bars);
    EXPECT_TRUE(says(bars, "lab5/smem"));
    EXPECT_TRUE(says(bars, "50.0 GB/s"));
}

TEST(Plots, LatencySaysFromHowManyWarpsOnItIsHidden) {
    Json cells;
    for (int chains = 1; chains <= 4; ++chains)
        for (int warps = 4; warps <= 32; warps += 4)
            cells.push_back({{"chains", chains}, {"warps", warps}, {"share", std::min(1.0, warps * chains / 24.0)}});
    const Drawing drawing = plot_latency({{"times", "measured on a GPU"}, {"latency_cycles", 4.25}, {"cells", cells}});
    expect_readable(drawing);
    EXPECT_TRUE(says(drawing, "4.25 cycles"));
    EXPECT_TRUE(says(drawing, "90 % of the peak from 24 warps on"));
    EXPECT_TRUE(says(drawing, "90 % of the peak from 12 warps on"));
}

TEST(Plots, FidelityKeepsFittedAndPredictedRowsApart) {
    Json rows;
    for (const auto& [measured, modelled, fitted] : {std::tuple{1.0, 1.1, true}, {2.0, 2.0, false}, {10.0, 5.0, false}})
        rows.push_back({{"measured_ms", measured}, {"modelled_ms", modelled}, {"fitted", fitted}});
    const Drawing drawing = plot_fidelity({{"rows", rows}, {"measured_on", {{"device", "NVIDIA H200"}}}, {"modelled_for", "h200"}});
    expect_readable(drawing);
    EXPECT_TRUE(says(drawing, "fitted: 1 rows, mean error 10.0 %"));
    EXPECT_TRUE(says(drawing, "predicted: 2 rows, mean error 25.0 %"));
    EXPECT_TRUE(says(drawing, "Measured on NVIDIA H200; modelled for h200."));
}

TEST(Plots, OccupancyShowsCurvesOfOneCaseAndAMapOfSeveral) {
    const Json one = {{"kernel", ""},      {"threads", 256},    {"registers", 32},
                      {"shared_bytes", 0}, {"occupancy", 0.75}, {"bound_by", {"threads"}}};
    Json figures{{"name", "NVIDIA Test"}, {"cases", {one}}};
    for (const char* const name : {"threads", "registers", "shared_bytes"}) figures["curves"][name] = Json::array({{0, 0.25}, {1024, 0.5}});
    const Drawing curves = plot_occupancy(figures);
    expect_readable(curves);
    EXPECT_TRUE(says(curves, "256 threads, 32 registers, 0 bytes: 75.0 %, bound by threads"));
    figures.erase("curves");
    Json other = one;
    other["threads"] = 512;
    other["occupancy"] = 0.375;
    figures["cases"].push_back(other);
    const Drawing map = plot_occupancy(figures);
    expect_readable(map);
    for (const char* const text : {"75.0 %", "37.5 %", "256", "512", "by hand"}) EXPECT_TRUE(says(map, text)) << text;
}

TEST(Plots, DemoShowsGainsAndWhichTimesAreModelled) {
    const Json rows = {{{"step", "CPU, one thread"}, {"is_modelled", false}, {"mean_ms", 100.0}, {"flops", 2e9}},
                       {{"step", "tiles in shared memory"}, {"is_modelled", true}, {"mean_ms", 0.5}, {"flops", 2e9}},
                       {{"step", "CPU, one thread"}, {"is_modelled", false}, {"mean_ms", 8.0}, {"flops", 0.0}},
                       {{"step", "naive"}, {"is_modelled", true}, {"mean_ms", 0.25}, {"flops", 0.0}}};
    const Drawing drawing = plot_demo({{"times", "modelled for h100"}, {"size", 512}, {"rows", rows}});
    expect_readable(drawing);
    for (const char* const text :
         {"product 512 x 512", "transpose 1024 x 1024", "100.0000 ms measured", "200x, 0.5000 ms modelled", "32x, 0.2500 ms modelled"})
        EXPECT_TRUE(says(drawing, text)) << text;
}

}  // namespace
}  // namespace lab::report
