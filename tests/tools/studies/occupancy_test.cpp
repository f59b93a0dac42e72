// `lab occupancy` from the outside: figures by hand, kernels of a file, and what it says to bad input.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/copying_build.h"

namespace lab::tools {
namespace {

constexpr const char* ptx = R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry _Z4tilev() {
  .shared .align 4 .b8 tile[2048];
  .reg .b32 %r; mov.u32 %r, tile; ret; }
.visible .entry _Z5smallv() .maxntid 128, 1, 1 { ret; }
)";

class Occupancy : public ::testing::Test {
protected:
    [[nodiscard]] Ending lab(std::vector<std::string> words) const {
        words.insert(words.begin(), "occupancy");
        return build_.lab(words);
    }
    [[nodiscard]] nlohmann::json figures(std::vector<std::string> words) const {
        words.insert(words.end(), {"--json", "-"});
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 0) << ending.output;
        return nlohmann::json::parse(ending.output, nullptr, false);
    }
    // A ptxas that knows sm_90 only, where each kernel takes 40 registers.
    void have_ptxas() const {
        box_.program("bin/ptxas", R"(
[[ $* == --version ]] && exit 0
[[ $* == *-arch=sm_90* ]] || { echo "ptxas fatal   : Value 'sm_13' is not defined for option 'gpu-name'"; exit 1; }
for kernel in _Z4tilev _Z5smallv; do
  echo "ptxas info    : Compiling entry function '$kernel' for 'sm_90'"
  echo "ptxas info    : Function properties for $kernel"
  echo "ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem"
done)");
    }
    CopyingBuild build_;
    const Sandbox& box_ = build_.box();
};

// Compute capability 1.3, 10 registers, 2092 bytes: 256 threads fill the SM; with 64 shared memory allows 6 blocks, 12 of 32 warps.
TEST_F(Occupancy, GivesTheOldCalculatorsTwoAnswers) {
    const auto large = figures({"--cc", "1.3", "--threads", "256", "--registers", "10", "--shared", "2092"});
    EXPECT_EQ(large["cases"][0]["blocks"], 4);
    EXPECT_EQ(large["cases"][0]["occupancy"], 1.0);
    const auto small = figures({"--cc", "1.3", "--threads", "64", "--registers", "10", "--shared", "2092"});
    EXPECT_EQ(small["cases"][0]["blocks"], 6);
    EXPECT_EQ(small["cases"][0]["bound_by"], nlohmann::json({"shared memory"}));
    EXPECT_EQ(small["cases"][0]["occupancy"], 12.0 / 32);
    EXPECT_EQ(small["compute_capability"], "1.3");
}

TEST_F(Occupancy, DrawsWhatTheJsonSays) {
    const Ending ending = lab({"--cc", "9.0", "--threads", "256", "--registers", "40", "--svg", "out.svg"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(ending.output.find("resource"), std::string::npos) << "the text is there as well";
    const auto shown = figures({"--cc", "9.0", "--threads", "256", "--registers", "40"})["cases"][0];
    const std::string svg = box_.read("out.svg");
    EXPECT_EQ(svg.rfind("<svg ", 0), 0U) << svg.substr(0, 100);
    EXPECT_NE(svg.find(fmt::format("40 registers, 0 bytes: {:.1f} %", 100 * shown["occupancy"].get<double>())), std::string::npos) << svg;
}

TEST_F(Occupancy, RefusesAPictureThatCannotBeWritten) {
    const Ending ending = lab({"--threads", "256", "--registers", "40", "--svg", "nowhere/out.svg"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: --svg nowhere/out.svg: can't write there: No such file or directory\n");
}

TEST_F(Occupancy, ShowsWhatABlockTakesAndWhatBinds) {
    const std::string text = lab({"--cc", "1.3", "--threads", "64", "--registers", "10", "--shared", "2092"}).output;
    EXPECT_NE(text.find("6 active blocks, 12 of 32 warps: occupancy 37.5 %, bound by shared memory"), std::string::npos) << text;
    EXPECT_NE(text.find("an SM has 1024 threads, 8 blocks, 16384 registers, 16384\n  bytes of shared memory"), std::string::npos) << text;
}

TEST_F(Occupancy, TakesBlockSizesInTurnWhereNoneIsGiven) {
    const auto all = figures({"--cc", "1.3", "--registers", "10"})["cases"];
    std::vector<int> threads;
    for (const auto& each : all) threads.push_back(each["threads"]);
    EXPECT_EQ(threads, (std::vector<int>{32, 64, 128, 256, 512}));
}

TEST_F(Occupancy, SaysWhenNoBlockFits) {
    const Ending ending = lab({"--threads", "1024", "--registers", "255"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_NE(ending.output.find("no block fits: registers"), std::string::npos) << ending.output;
}

TEST_F(Occupancy, DrawsCurvesThroughWhatWasAsked) {
    const auto curves = figures({"--cc", "1.3", "--threads", "64", "--registers", "10", "--shared", "2092", "--curve"})["curves"];
    for (const char* name : {"threads", "registers", "shared_bytes"}) ASSERT_TRUE(curves.contains(name)) << curves;
    EXPECT_EQ(curves["registers"].size(), 124U);
    // By hand: 124 registers take 2 * 32 * 124 = 7936, rounded up to 8192; two blocks fit, 4 of 32 warps.
    EXPECT_EQ(curves["registers"].back(), nlohmann::json({124.0, 0.125}));
    EXPECT_EQ(curves["shared_bytes"].front(), nlohmann::json({0.0, 0.5}));  // 8 blocks of 2 warps
    const std::string text = lab({"--cc", "1.3", "--threads", "64", "--registers", "10", "--shared", "2092", "--curve"}).output;
    for (const char* part : {"threads a block", "registers a thread", "bytes of shared memory a block", "O  as asked"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST_F(Occupancy, AsksPtxasForTheRegistersOfKernels) {
    have_ptxas();
    box_.write("x.cu", ptx);
    const auto all = figures({"x.cu", "tile", "--threads", "256", "--shared", "100"})["cases"];
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0]["kernel"], "tile");
    EXPECT_EQ(all[0]["registers"], 40);
    EXPECT_EQ(all[0]["shared_bytes"], 2148) << "static and dynamic together";
    EXPECT_EQ(all[0]["blocks"], 6) << "8 warps of 40 * 32 = 1280 registers: 12 warps in each quarter of the file";
}

TEST_F(Occupancy, KeepsToLaunchBounds) {
    box_.write("x.cu", ptx);
    const auto all = figures({"x.cu", "small", "--registers", "20"})["cases"];
    EXPECT_EQ(all.size(), 3U) << "32, 64 and 128 threads";
    const Ending ending = lab({"x.cu", "small", "--registers", "20", "--threads", "256"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("--threads 256: __launch_bounds__ of small allows 1 to 128"), std::string::npos) << ending.output;
}

TEST_F(Occupancy, TakesALabsKernelsFromTheStudentsFileOrTheSolution) {
    box_.write("labs/lab3_tiles/tiles.cu", ptx);
    std::string solved = ptx;
    solved.replace(solved.find("tile[2048]"), 10, "tile[4096]");
    box_.write("solutions/lab3_tiles/tiles.cu", solved);
    EXPECT_EQ(figures({"lab3", "tile", "--registers", "20", "--threads", "64"})["cases"][0]["shared_bytes"], 2048);
    EXPECT_EQ(figures({"lab3", "tile", "--registers", "20", "--threads", "64", "--solution"})["cases"][0]["shared_bytes"], 4096);
}

TEST_F(Occupancy, AsksForRegistersWhereThereIsNoPtxas) {
    build_.lack_toolkit();
    box_.write("x.cu", ptx);
    const Ending ending = lab({"x.cu", "tile"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("ptxas"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("give --registers N\n"), std::string::npos) << ending.output;
    EXPECT_EQ(figures({"x.cu", "tile", "--registers", "20", "--threads", "64"})["cases"][0]["registers"], 20);
}

TEST_F(Occupancy, AnswersBadInputWithOneLineAndStatusTwo) {
    have_ptxas();
    box_.write("x.cu", ptx);
    box_.write("bad.cu", "syntax error");
    box_.write("empty.cu", ".version 6.0\n.target sm_70\n.address_size 64\n");
    box_.write("labs/lab1_cpu/cpu.cpp", "");
    box_.write("labs/lab3_tiles/tiles.cu", ptx);
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "lab: say what a kernel needs: --registers N"},
        {{"--threads", "64"}, "lab: say what a kernel needs: --registers N"},
        {{"--registers", "10", "--threads", "0"}, "lab: --threads 0: NVIDIA H100 80GB HBM3 takes 1 to 1024 threads a block"},
        {{"--registers", "10", "--threads=-5"}, "lab: --threads -5: "},
        {{"--registers", "10", "--threads", "513", "--cc", "1.3"},
         "lab: --threads 513: compute capability 1.3 takes 1 to 512 threads a block"},
        {{"--registers", "0"}, "lab: --registers 0: "},
        {{"--registers", "256"}, "takes 1 to 255 registers a thread"},
        {{"--registers", "10", "--shared=-1"}, "lab: --shared -1: "},
        {{"--registers", "10", "--shared", "16385", "--cc", "1.3"},
         "lab: --shared 16385: compute capability 1.3 takes 0 to 16384 bytes a block"},
        {{"--registers", "many"}, "--registers"},
        {{"--registers", "10", "--cc", "4.0"}, "lab: --cc 4.0: no such compute capability; there is 1.0, 1.1,"},
        {{"--registers", "10", "--device", "voodoo"}, "lab: --device voodoo: no such device; there is gtx280"},
        {{"--registers", "10", "--device", "h100", "--cc", "9.0"}, "lab: --device and --cc exclude each other"},
        {{"--registers", "10", "--curve"}, "lab: --curve needs --threads N"},
        {{"x.cu", "--threads", "64", "--curve"}, "lab: --curve draws one kernel"},
        {{"--registers", "10", "--json", "a/b/c"}, "lab: --json a/b/c: can't write there"},
        {{"lab9"}, "lab: unknown lab 'lab9'; there are: lab1 (cpu), lab3 (tiles)"},
        {{"lab1"}, "lab: lab1 runs on the CPU: it has no kernels"},
        {{"lab3", "--solution"}, "can't be read"},
        {{"lab3", "tail"}, "lab: lab3 has no kernel 'tail'; there are: tile, small"},
        {{"x.cu", "tile", "--shared", "232448"}, "takes 0 to 230400 bytes a block beside the kernel's own 2048"},
        {{"x.cu", "--solution"}, "lab: --solution needs a lab"},
        {{"--solution", "--registers", "10"}, "lab: a kernel needs its lab or its file before it"},
        {{"nowhere.cu"}, "lab: nowhere.cu: no such file"},
        {{"bad.cu"}, "lab: bad.cu does not compile:"},
        {{"empty.cu"}, "lab: empty.cu has no kernels"},
        {{"x.cu", "--cc", "1.3"}, "lab: ptxas tells no registers for sm_13: ptxas fatal   : Value 'sm_13' is not defined"},
    };
    for (const auto& [words, text] : cases) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << text << "\n" << ending.output;
        EXPECT_NE(ending.output.find(text), std::string::npos) << text << "\n" << ending.output;
        if (words != std::vector<std::string>{"bad.cu"}) {
            EXPECT_EQ(ending.output.find('\n'), ending.output.size() - 1) << ending.output;
        }
    }
}

}  // namespace
}  // namespace lab::tools
