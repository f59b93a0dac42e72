// `lab latency`: without a GPU from the outside; with a stand-in for the measuring program as the gpu build would call it.
#include "common/tools/studies/latency.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "common/tools/errors.h"
#include "tests/tools/copying_build.h"

namespace lab::tools {
namespace {

constexpr const char* latency_program = "common/tools/studies/latency.cu";

// An SM that issues 4 warps' fma a clock, each of which takes 4 cycles.
constexpr const char* latency_stand_in = R"(
echo '{"device": "Some GPU", "major": 9, "minor": 0}'
for chains in 1 2 3 4; do
  for warps in 1 2 3 4 6 8 12 16 32; do
    cycles=$((chains * warps * 25)); least=$((396 + 4 * chains)); ((cycles < least)) && cycles=$least
    echo "{\"chains\": $chains, \"warps\": $warps, \"steps\": 100, \"cycles\": $cycles}"
  done
done)";

class Latency : public ::testing::Test {
protected:
    Latency() : gpu_{build_.box().folder(), build_.box().folder() / "build", "gpu", {}}, old_path_(std::getenv("PATH")) {
        setenv("PATH", build_.path().c_str(), 1);
        build_.box().program(latency_program, latency_stand_in);
        options_.json = (build_.box().folder() / "out.json").string();
    }
    ~Latency() override { setenv("PATH", old_path_.c_str(), 1); }
    [[nodiscard]] std::string complaint() const {
        try {
            (void)latency(gpu_, options_);
        } catch (const BadInput& problem) {
            return problem.what();
        }
        return "none";
    }
    CopyingBuild build_;
    Project gpu_;
    std::string old_path_;
    LatencyOptions options_;
};

TEST_F(Latency, FollowsFromOneWarpWithOneChain) {
    ASSERT_EQ(latency(gpu_, options_), 0);
    const auto figures = nlohmann::json::parse(build_.box().read("out.json"), nullptr, false);
    EXPECT_EQ(figures["latency_cycles"], 4.0);
    EXPECT_EQ(figures["peak_fma_per_clock"], 128.0);
    EXPECT_EQ(figures["operations_in_flight"], 512.0);
    EXPECT_EQ(figures["times"], "measured on Some GPU");
    ASSERT_EQ(figures["cells"].size(), 36U);
    EXPECT_EQ(figures["cells"][0]["share"], 1.0 / 16);
}

TEST_F(Latency, ShowsHowManyWarpsHideItWithHowManyChains) {
    testing::internal::CaptureStdout();
    ASSERT_EQ(latency(gpu_, options_), 0);
    std::fflush(stdout);
    // As one line: folding depends on the terminal.
    const std::string text = std::regex_replace(testing::internal::GetCapturedStdout(), std::regex("\\s+"), " ");
    for (const char* part :
         {"one warp, one chain: 4.00 cycles from one fma to the next", "512 operations in flight hide it, 16.0 warps of one chain",
          "1 chain: 16.0 warps by that, 16 measured", "2 chains: 8.0 warps by that, 8 measured", "3 chains: 5.3 warps by that, 6 measured",
          "4 chains: 4.0 warps by that, 4 measured", "measured on Some GPU"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST_F(Latency, SaysWhatIsWrong) {
    options_.repeats = 0;
    EXPECT_EQ(complaint(), "--repeats 0: give 1 to 1000");
    options_.repeats = 1;
    build_.box().program(latency_program, "echo '{\"no_gpu\": \"no driver\"}'; exit 2");
    EXPECT_EQ(complaint(), "no GPU answers: no driver; latency is measured on a GPU only");
    options_.json = "/no/such/folder/x";
    EXPECT_EQ(complaint(), "--json /no/such/folder/x: can't write there; give a file's name, or - to print it");
}

// One line, whatever the other options.
TEST(LatencyInTheEmulator, IsRefused) {
    const CopyingBuild build;
    const Ending ending = build.lab({"latency"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(
        ending.output,
        "lab: latency is measured on a GPU: the emulator counts instructions and has no cycles; with a GPU: ./lab --backend gpu latency\n");
    EXPECT_EQ(build.compilations(), 0U);
}

// If the peak is unknown, shares are relative to the best measured rate.
TEST(LatencyFigures, TakeTheBestForAPeakThatIsNotKnown) {
    const LatencyFigures figures{"x", 0, false, {{1, 1, 100, 400}, {1, 2, 100, 400}}};
    EXPECT_EQ(figures.share(figures.cells[0]), 0.5);
    EXPECT_EQ(figures.share(figures.cells[1]), 1.0);
    EXPECT_EQ(figures.warps_needed(1), 2);
    EXPECT_FALSE(figures.warps_needed(3));
}

}  // namespace
}  // namespace lab::tools
