// The studies from the outside, on the reference solutions in the emulator: their figures against formulas, and Ctrl-C.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "handouts/figures/source/first_screen.h"
#include "tests/tools/lab_command.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

class Study : public LabCommand {
protected:
    // ctest has built the inputs (fixtures): Ninja has nothing to do.
    Study() { box_.program("bin/ninja", ""); }
    [[nodiscard]] Ending lab(std::vector<std::string> words) const {
        words.insert(words.end(), {"--json", "out.json"});
        return LabCommand::lab(words);
    }
    [[nodiscard]] Json written() const { return Json::parse(box_.read("out.json"), nullptr, false); }
};

// The line of the reference's file that holds this text.
std::size_t line_with(const std::string& text) {
    std::ifstream stream(LAB_SOURCE_FOLDER "/solutions/lab3_shared_tiling/shared_tiling.cu");
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.find(text) != std::string::npos) return number;
    }
    return 0;
}

TEST_F(Study, DevicesAreListedAndTheirFilesCanBeChanged) {
    const Ending all = lab({"devices"});
    ASSERT_EQ(all.status, 0) << all.output;
    EXPECT_NE(all.output.find("GeForce GTX 280         1.3   30"), std::string::npos) << all.output;
    EXPECT_GE(written().at("devices").size(), 4U);
    const Ending one = lab({"devices", "h100"});
    ASSERT_EQ(one.status, 0) << one.output;
    std::string text = one.output;
    ASSERT_NE(text.find("\"sm_count\": 132"), std::string::npos) << text;
    box_.write("half.json", text.replace(text.find("\"sm_count\": 132"), 15, "\"sm_count\": 66"));
    const std::vector<std::string> profile{"profile", "lab3", "matmul_tiled", "--solution", "--size", "512", "--device"};
    const auto time_on = [&](const std::string& device) {
        std::vector<std::string> words = profile;
        words.push_back(device);
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 0) << ending.output;
        EXPECT_NE(ending.output.find("modelled for " + device.substr(0, 4)), std::string::npos) << ending.output;
        return written().at("kernels").at(0).at("figures").at("time").get<double>();
    };
    EXPECT_GT(time_on("half.json"), 1.5 * time_on("h100"));
    box_.write("broken.json", "{}");
    const Ending broken = lab({"devices", "broken.json"});
    EXPECT_EQ(broken.status, 2);
    EXPECT_EQ(broken.output,
              "lab: --device broken.json: \"compute_capability\" is missing; ./lab devices h100 shows all that a device has\n");
}

TEST_F(Study, ColdLaunchesFetchTheirInputFromDram) {
    const auto time_of = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"profile", "lab5", "copy_row", "--solution", "--size", "1024"};
        words.insert(words.end(), more.begin(), more.end());
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 0) << ending.output;
        return written().at("kernels").at(0).at("launch");
    };
    const Json warm = time_of({});
    const Json cold = time_of({"--cold"});
    EXPECT_EQ(warm.at("model").at("resource_ms").at("DRAM"), 0) << "both matrices fit into L2";
    // 4 MiB at the H100's 3.35 TB/s, or somewhat less of it.
    EXPECT_GT(cold.at("model").at("resource_ms").at("DRAM"), 4.194304 / 3352);
    EXPECT_LT(cold.at("model").at("resource_ms").at("DRAM"), 4.194304 / 2000);
    EXPECT_GT(cold.at("modelled_ms"), warm.at("modelled_ms"));
    EXPECT_EQ(cold.at("global_load"), warm.at("global_load"));
}

TEST_F(Study, SpeedIsGradedForTheDeviceAskedForAndAllElseForTheUsualOne) {
    const Ending ending = lab({"grade", "lab5", "--solutions", "--device", "gtx280", "--verbose"});
    EXPECT_EQ(ending.status, 1) << ending.output;
    EXPECT_NE(ending.output.find("(modelled for gtx280)"), std::string::npos) << ending.output;
    for (const auto& test : written().at("labs").at(0).at("tests")) {
        EXPECT_TRUE(test.at("group") == "fast" || test.at("passed") == true) << test;
    }
    Command by_variable{{LAB_TOOL, "grade", "lab3", "--solutions"}, box_.folder().string(), environment()};
    by_variable.environment.emplace_back("LAB_DEVICE", "voodoo");
    const Ending unknown = run(by_variable);
    EXPECT_EQ(unknown.status, 2);
    EXPECT_EQ(unknown.output.rfind("lab: --device voodoo: no such device; there is gtx280", 0), 0U) << unknown.output;
}

TEST_F(Study, ASampleOfTheBlocksStandsForAll) {
    const auto profile = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"profile", "lab2", "matmul_global", "--solution", "--size", "500", "--block", "32x8"};
        words.insert(words.end(), more.begin(), more.end());
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 0) << ending.output;
        EXPECT_EQ(ending.output.find("stand for all") != std::string::npos, more.size() == 2) << ending.output;
        return written().at("kernels").at(0).at("launch");
    };
    const Json whole = profile({});
    const Json some = profile({"--sample", "100"});
    EXPECT_FALSE(whole.contains("is_estimate"));
    EXPECT_EQ(some.at("is_estimate"), true);
    for (const char* const kind : {"requests", "bytes"}) {
        EXPECT_EQ(some.at("global_load").at(kind), whole.at("global_load").at(kind)) << "the same for all blocks alike";
    }
    // Alignment of rows of 500 floats to sectors differs from block to block.
    EXPECT_NEAR(some.at("global_load").at("sectors").get<double>() / whole.at("global_load").at("sectors").get<double>(), 1, 0.02);
    EXPECT_NEAR(some.at("modelled_ms").get<double>() / whole.at("modelled_ms").get<double>(), 1, 0.02);
    const Ending wrong = lab({"profile", "lab2", "matmul_global", "--solution", "--sample", "0"});
    EXPECT_EQ(wrong.status, 2) << wrong.output;
}

TEST_F(Study, ProfileCountsWhatTheKernelsMustDo) {
    const Ending ending = lab({"profile", "lab3", "matmul_tiled", "--solution", "--size", "96", "--compare", "lab2/matmul_global"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const Json kernels = written().at("kernels");
    constexpr double W = 96;
    constexpr double warps = W * W / 32;
    const Json tiled = kernels.at(0).at("figures");
    EXPECT_EQ(tiled.at("gld_transactions"), warps * 2 * (W / 32) * 4) << "two loads a tile, each of 4 sectors";
    EXPECT_EQ(tiled.at("gld_efficiency"), 100);
    EXPECT_EQ(tiled.at("shared_load_transactions_per_request"), 1) << "no bank conflicts";
    EXPECT_EQ(tiled.at("shared_store_transactions"), warps * 2 * (W / 32));
    const Json global = kernels.at(1).at("figures");
    EXPECT_EQ(global.at("global_load_requests"), warps * 2 * W);
    EXPECT_EQ(global.at("gld_transactions"), warps * W * (2 + 2))
        << "16 x 16: two rows of M, one sector each; 16 words of N in two, shared";
    EXPECT_EQ(global.at("gst_efficiency"), 100);
    EXPECT_EQ(global.count("shared_efficiency"), 0U);
    for (const Json& kernel : kernels) {
        const double ms = kernel.at("figures").at("time");
        EXPECT_NEAR(kernel.at("gflop_per_s").get<double>(), 2 * W * W * W / ms * 1e-6, 1e-6 / ms);
        EXPECT_NEAR(kernel.at("gb_per_s").get<double>(), 3 * W * W * 4 / ms * 1e-6, 1e-6 / ms);
    }
    EXPECT_NE(ending.output.find("times are modelled for h100"), std::string::npos) << ending.output;
}

TEST_F(Study, ProfileTakesDoubleAndOtherTiles) {
    ASSERT_EQ(lab({"profile", "lab3", "matmul_tiled", "--solution", "--size", "64", "--type", "double", "--block", "16x16"}).status, 0);
    const Json kernel = written().at("kernels").at(0);
    EXPECT_EQ(kernel.at("block"), Json({16, 16}));
    EXPECT_EQ(kernel.at("launch").at("block"), Json({16, 16, 1}));
    EXPECT_EQ(kernel.at("figures").at("gld_transactions_per_request"), 8);  // 32 words of 8 bytes
}

TEST_F(Study, ProfileSeesTheYardsticksBankConflicts) {
    ASSERT_EQ(lab({"profile", "lab3", "matmul_conflicting", "--solution", "--size", "64"}).status, 0);
    const Json figures = written().at("kernels").at(0).at("figures");
    // N is stored by columns: 32 passes. Half of the loads read one word of M for all lanes, half a column of N.
    EXPECT_EQ(figures.at("shared_store_transactions_per_request"), (1 + 32) / 2.0);
    EXPECT_GT(figures.at("shared_load_transactions_per_request").get<double>(), 4);
}

TEST_F(Study, ProfileGivesEachSourceLineItsCounts) {
    const Ending ending = lab({"profile", "lab3", "matmul_tiled", "--solution", "--size", "96", "--source"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const Json launch = written().at("kernels").at(0).at("launch");
    std::map<std::size_t, Json> lines;
    double loads = 0;
    double shared = 0;
    for (const Json& line : launch.at("lines")) {
        lines[line.at("line")] = line;
        loads += line.value("/global_load/requests"_json_pointer, 0.0);
        shared += line.value("/shared_load/wavefronts"_json_pointer, 0.0);
    }
    const double each = 96.0 * 96 / 32 * 3;  // every warp, three tiles
    EXPECT_EQ(lines[line_with("= M[row * W + start")].at("global_load").at("requests"), each);
    EXPECT_EQ(lines[line_with("= N[(start + threadIdx.y)")].at("shared_store").at("requests"), each);
    EXPECT_EQ(lines[line_with("P[row * W + col] = sum")].at("global_store").at("sectors"), 96.0 * 96 / 32 * 4);
    EXPECT_GT(lines[line_with("sum += M_tile")].at("shared_load").at("wavefronts").get<double>(), 0);
    EXPECT_EQ(loads, launch.at("global_load").at("requests").get<double>()) << "lines add up to the whole";
    EXPECT_EQ(shared, launch.at("shared_load").at("wavefronts").get<double>());
    EXPECT_NE(ending.output.find("P[row * W + col] = sum;"), std::string::npos) << ending.output;
}

TEST_F(Study, LaunchesHaveNoLinesUnlessAskedFor) {
    ASSERT_EQ(lab({"profile", "lab3", "matmul_tiled", "--solution", "--size", "32"}).status, 0);
    EXPECT_EQ(written().at("kernels").at(0).at("launch").count("lines"), 0U);
}

TEST_F(Study, SweepSortsTheShapesAskedFor) {
    const Ending ending = lab({"sweep", "lab2", "matmul_global", "--solution", "--size", "256", "--blocks", "1x256,32x8,2x128,32x8"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const Json rows = written().at("rows");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].at("block"), Json({32, 8}));
    EXPECT_EQ(rows[2].at("block"), Json({1, 256})) << "every lane another row: 32 sectors a load of M";
    EXPECT_LE(rows[0].at("ms"), rows[1].at("ms"));
    EXPECT_LE(rows[1].at("ms"), rows[2].at("ms"));
    EXPECT_EQ(written().at("is_whole"), true);
    EXPECT_LT(ending.output.rfind("32x8"), ending.output.rfind("1x256"));
}

TEST_F(Study, SweepTriesAllTilesThatDivideTheSize) {
    ASSERT_EQ(lab({"sweep", "lab3", "matmul_tiled", "--solution", "--size", "160"}).status, 0);
    EXPECT_EQ(written().at("rows").size(), 2U);  // 16 and 32, not 25
}

// Programs are compiled by the build's commands, which Ninja has to print.
class StudyOfAProgram : public Study {
protected:
    StudyOfAProgram() { std::filesystem::remove(box_.folder() / "bin/ninja"); }
};

// README's figure shows this program's race as the terminal does.
TEST_F(StudyOfAProgram, ARaceLooksAsInTheFigureOfTheReadme) {
    const Ending ending = lab({"run", std::string(LAB_SOURCE_FOLDER) + "/" + report::program_with_race()});
    EXPECT_EQ(ending.status, 70) << ending.output;
    std::string expected;
    for (const std::string& line : report::race_on_a_terminal()) expected += line + "\n";
    EXPECT_NE(ending.output.find(expected), std::string::npos) << ending.output;
}

// One kernel that any block computes rightly, and one that counts on 64 threads a block.
constexpr const char* two_kernels = R"(
#include <cstdio>
#include <vector>
__global__ void scale(float* data, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) data[y * width + x] *= 2;
}
__global__ void mark(int* marks) { marks[threadIdx.x] = 1; }
int main() {
    float* data = nullptr;
    int* marks = nullptr;
    cudaMalloc(&data, 1024 * 512 * sizeof(float));
    cudaMalloc(&marks, 64 * sizeof(int));
    cudaMemset(data, 0, 1024 * 512 * sizeof(float));
    scale<<<dim3(64, 32), dim3(16, 16)>>>(data, 1024, 512);
    scale<<<dim3(64, 32), dim3(16, 16)>>>(data, 1024, 512);
    mark<<<1, 64>>>(marks);
    const bool is_right = cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(data);
    cudaFree(marks);
    return is_right ? 0 : 1;
}
)";

TEST_F(StudyOfAProgram, SweepReshapesItsLaunches) {
    box_.write("two.cu", two_kernels);
    const Ending ending = lab({"sweep", "two.cu", "scale", "--blocks", "1x32,32x8"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(ending.output.find("two.cu: scale, 2 launches, by itself in blocks of 16x16"), std::string::npos) << ending.output;
    const Json rows = written().at("rows");
    ASSERT_EQ(rows.size(), 3U) << "and its own";
    EXPECT_EQ(rows[2].at("block"), Json({1, 32})) << "every lane another row";
    EXPECT_EQ(written().at("own_block"), Json({16, 16}));
}

TEST_F(StudyOfAProgram, SweepTellsWhichBlocksItDoesNotWorkWith) {
    box_.write("two.cu", two_kernels);
    const Ending ending = lab({"sweep", "two.cu", "mark"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const Json rows = written().at("rows");
    ASSERT_EQ(rows.size(), 6U) << "32 to 1024 threads along x, as the program's own block has one direction";
    std::size_t right = 0;
    for (const Json& row : rows) {
        const bool fits = row.at("block")[0].get<int>() <= 64;
        right += fits ? 1 : 0;
        EXPECT_EQ(row.contains("ms"), fits) << row;
        if (!fits) {
            EXPECT_EQ(row.at("trouble"), "the program ends with status 70: 4-byte write out of bounds in global memory");
        }
    }
    EXPECT_EQ(right, 2U);
}

TEST_F(StudyOfAProgram, SweepSaysWhatIsWrongInALine) {
    box_.write("two.cu", two_kernels);
    box_.write("notes.txt", "");
    const auto refuses = [&](const std::vector<std::string>& words, const std::string& says) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << ending.output;
        EXPECT_NE(ending.output.find(says), std::string::npos) << ending.output;
    };
    refuses({"sweep", "two.cu"}, "say which kernel, as in ./lab sweep two.cu transpose");
    refuses({"sweep", "two.cu", "scales"}, "two.cu: it launched no kernel 'scales'; it launched: mark, scale");
    refuses({"sweep", "two.cu", "scale", "--size", "64"}, "--size and --solution are for a lab's kernels");
    refuses({"sweep", "two.cu", "scale", "--blocks", "64x64"}, "--blocks 64x64: a block has at most 1024 threads");
    refuses({"sweep", "none.cu", "scale"}, "none.cu: no such file");
    refuses({"sweep", "notes.txt", "scale"}, "notes.txt: not a CUDA program; name a .cu file or a lab");
    refuses({"sweep", "lab3", "matmul_tiled", "-D", "X"}, "-I, -D and arguments after -- are for a program; this is a lab");
}

TEST_F(Study, AnInterruptedSweepKeepsWhatIsDone) {
    const Ending ending = run({{"bash", "-c",
                                "'" LAB_TOOL "' sweep lab2 matmul_global --solution --size 256 --json out.json &\n"
                                "for i in {1..400}; do grep -q '\"ms\"' out.json 2>/dev/null && break; sleep 0.02; done\n"
                                "kill -INT $!; wait $!"},
                               box_.folder().string(),
                               environment()});
    EXPECT_EQ(ending.status, 130) << ending.output;
    EXPECT_NE(ending.output.find("GFLOP/s"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find(" of 51 shapes were tried"), std::string::npos) << ending.output;
    const Json json = written();
    EXPECT_EQ(json.at("is_whole"), false);
    EXPECT_GE(json.at("rows").size(), 1U);
    EXPECT_LT(json.at("rows").size(), 51U);
}

TEST_F(Study, DemoMeasuresTheCpuFiveTimesAndModelsTheKernels) {
    const Ending ending = lab({"demo", "--size", "64"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const Json rows = written().at("rows");
    ASSERT_GE(rows.size(), 3U);
    EXPECT_EQ(rows[0].at("times_ms").size(), 5U);
    EXPECT_EQ(rows[0].at("is_modelled"), false);
    double sum = 0;
    for (const Json& time : rows[0].at("times_ms")) sum += time.get<double>();
    EXPECT_NEAR(rows[0].at("mean_ms").get<double>(), sum / 5, 1e-9 * sum);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_EQ(rows[i].at("is_modelled"), true);
        EXPECT_GT(rows[i].at("mean_ms").get<double>(), 0);
    }
    EXPECT_NE(ending.output.find("24.34 ms (1664x)"), std::string::npos) << ending.output;
}

// labs/ as shipped: the kernel writes nothing, so there is nothing to study.
TEST_F(Study, AnUnsolvedExerciseIsSaidToBeOne) {
    const Ending ending = lab({"profile", "lab3", "matmul_tiled", "--size", "32"});
    EXPECT_EQ(ending.status, 2) << ending.output;
    EXPECT_NE(ending.output.find("it wrote nothing: is the exercise done? (./lab grade lab3; --solution"), std::string::npos)
        << ending.output;
}

}  // namespace
}  // namespace lab::tools
