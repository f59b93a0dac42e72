// `lab report` from the outside, on the reference solutions: its numbers against formulas and against `lab profile`.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "handouts/figures/source/transposes.h"
#include "tests/tools/lab_command.h"
#include "tests/tools/race_program.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

class Report : public LabCommand {
protected:
    // ctest has built what is needed (fixtures): Ninja has nothing to do.
    Report() { box_.program("bin/ninja", ""); }
    [[nodiscard]] Json written(std::vector<std::string> words) const {
        words.insert(words.end(), {"--json", "out.json"});
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 0) << ending.output;
        Json json = Json::parse(box_.read("out.json"), nullptr, false);
        EXPECT_TRUE(json.is_object());
        return json;
    }
    [[nodiscard]] Json report(const std::vector<std::string>& words) const {
        std::vector<std::string> all{"report"};
        all.insert(all.end(), words.begin(), words.end());
        return written(all);
    }
    // The report of a program with this source. Ninja tells its recipe.
    [[nodiscard]] Json report_of(const std::string& file, const std::string& source) const {
        box_.write(file, source);
        box_.program("bin/ninja", "exec /usr/bin/ninja \"$@\"");
        return report({file});
    }
};

const Json& access_to(const Json& launch, const std::string& kind, const std::string& object) {
    for (const Json& access : launch.at("accesses")) {
        const bool is_of_object =
            !access.at("object").is_null() && launch.at("objects").at(access.at("object").get<std::size_t>()).at("name") == object;
        if (access.at("kind") == kind && is_of_object) return access;
    }
    static const Json none;
    return none;
}

// Words of the object that a lane of the first warp of the first block accesses, over all iterations.
std::set<int> words_of(const Json& access, std::size_t lane) {
    std::set<int> words;
    for (const Json& kept : access.at("kept")) {
        if (kept.at("block") == 0 && kept.at("warp") == 0)
            words.insert((kept.at("base").get<int>() + kept.at("lanes").at(lane).get<int>()) / 4);
    }
    return words;
}

TEST_F(Report, CountsATiledProductAsTheFormulasSay) {
    const Json all = report({"lab3", "matmul_tiled", "--solution", "--no-score", "--size", "96"});
    ASSERT_EQ(all.at("launches").size(), 1U);
    const Json& launch = all.at("launches")[0];
    EXPECT_TRUE(all.at("score").is_null());
    EXPECT_EQ(launch.at("grid"), Json({3, 3, 1}));
    EXPECT_EQ(launch.at("block"), Json({32, 32, 1}));
    constexpr int warps = 9 * 32;
    constexpr int phases = 3;
    EXPECT_EQ(launch.at("totals").at("global_load_requests"), warps * phases * 2);
    EXPECT_EQ(launch.at("totals").at("global_load_sectors"), warps * phases * 2 * 4);
    EXPECT_EQ(launch.at("totals").at("shared_store_wavefronts"), warps * phases * 2);
    EXPECT_EQ(launch.at("totals").at("shared_load_wavefronts"), warps * phases * 2 * 32);
    const Json& m = access_to(launch, "load", "M");
    ASSERT_FALSE(m.is_null());
    EXPECT_EQ(m.at("executions"), warps * phases);
    EXPECT_EQ(m.at("cost"), warps * phases * 4);
    EXPECT_EQ(m.at("ideal"), warps * phases * 4);
    EXPECT_EQ(m.at("pattern"), "contiguous");
    const Json& tile = access_to(launch, "load", "M_tile");
    EXPECT_EQ(tile.at("pattern"), "broadcast");
    EXPECT_EQ(tile.at("executions"), warps * phases * 32);
    const double sum = std::accumulate(launch.at("lines").begin(), launch.at("lines").end(), 0.0, [](double before, const Json& line) {
        return before + line.at("counters").value("global_load_sectors", 0.0);
    });
    EXPECT_EQ(sum, launch.at("totals").at("global_load_sectors").get<double>());
}

// Block (1, 1) in phase p: rows 32 to 63 and columns 32 p of M, rows 32 p and columns 32 to 63 of N.
TEST_F(Report, ShowsTheTilesOfEachPhase) {
    const Json launch = report({"lab3", "matmul_tiled", "--solution", "--no-score", "--size", "96"}).at("launches")[0];
    ASSERT_EQ(launch.at("blocks").size(), 3U);
    EXPECT_EQ(launch.at("blocks")[1].at("index"), Json({1, 1, 0}));
    int tiles = 0;
    for (const Json& tile : launch.at("tiles")) {
        if (tile.at("block") != 1) continue;
        const int phase = tile.at("interval").get<int>() / 2;
        for (const Json& touched : tile.at("touched")) {
            const std::string name = launch.at("objects").at(touched.at("object").get<std::size_t>()).at("name");
            if (name == "P") continue;
            ++tiles;
            ASSERT_EQ(touched.at("runs").size(), 32U);
            for (int row = 0; row < 32; ++row) {
                const int first_row = name == "M" ? 32 : 32 * phase;
                const int first_column = name == "M" ? 32 * phase : 32;
                EXPECT_EQ(touched.at("runs")[static_cast<std::size_t>(row)], Json({((first_row + row) * 96 + first_column) * 4, 128}));
            }
        }
    }
    EXPECT_EQ(tiles, 2 * 3);
}

TEST_F(Report, HasTheFiguresOfProfile) {
    const std::vector<std::string> what{"lab5", "naive_row", "--solution", "--size", "256x128", "--block", "16x16"};
    std::vector<std::string> words = what;
    words.emplace_back("--no-score");
    const Json launch = report(words).at("launches")[0];
    words = what;
    words.insert(words.begin(), "profile");
    const Json profile = written(words).at("kernels")[0];
    const Json& figures = profile.at("figures");
    EXPECT_EQ(launch.at("totals").at("global_load_sectors").get<double>(), figures.at("gld_transactions").get<double>());
    EXPECT_EQ(launch.at("totals").at("global_store_sectors").get<double>(), figures.at("gst_transactions").get<double>());
    EXPECT_EQ(launch.at("totals").at("warp_instructions").get<double>(), figures.at("inst_executed").get<double>());
    EXPECT_EQ(launch.at("time").at("ms").get<double>(), figures.at("time").get<double>());
    EXPECT_EQ(launch.at("time").at("limit"), profile.at("launch").at("bound"));
    // The output has 128 columns: half-warps of one column of blocks, 512 bytes from lane to lane.
    const Json& store = access_to(launch, "store", "out");
    EXPECT_EQ(store.at("pattern"), "strided by 128 elements, in groups of 16 lanes, 1 element apart");
    EXPECT_EQ(launch.at("objects").at(store.at("object").get<std::size_t>()).at("columns"), 128);
    EXPECT_EQ(store.at("kept")[0].at("sectors"), 16);
    EXPECT_EQ(store.at("kept")[0].at("ideal"), 4);
}

// Figure pair_of_tiles: thread (1, 0) of a block of 4x2, on 4 rows of 8 floats.
TEST_F(Report, RecordsTheAccessesOfTheFigureOfTwoTiles) {
    const std::vector<std::string> words{"lab5", "smem_unroll_pad", "--solution", "--size", "8x4", "--block", "4x2", "--no-score"};
    const Json launch = report(words).at("launches")[0];
    constexpr int pitch = 9;
    std::set<int> loads;
    std::set<int> stores;
    std::set<int> from_tile;
    const report::PairMoves moves = report::pair_moves(4, 2, 1, 0);
    for (const report::Place& place : moves.loads) loads.insert(8 * place.row + place.column);
    for (const report::Place& place : moves.stores) {
        stores.insert(4 * place.row + place.column);
        from_tile.insert(pitch * place.column + place.row);
    }
    EXPECT_EQ(words_of(access_to(launch, "load", "in"), 1), loads);
    EXPECT_EQ(words_of(access_to(launch, "load", "tile"), 1), from_tile);
    EXPECT_EQ(words_of(access_to(launch, "store", "out"), 1), stores);
}

// Figure half_warps: the first warp of diagonal_col in blocks of 16x16.
TEST_F(Report, RecordsTheSectorsOfTheFigureOfHalfWarps) {
    std::vector<std::string> words{"lab6", "diagonal_col", "--solution", "--size", "2048x1024", "--block", "16x16", "--no-score"};
    const Json on_h100 = report(words).at("launches")[0];
    words.insert(words.end(), {"--device", "gtx280"});
    const Json launch = report(words).at("launches")[0];
    const devices::Device& device = devices::device_of("gtx280");
    const auto sectors = [](const Json& of, const char* kind, const char* object) {
        return access_to(of, kind, object).at("kept")[0].at("sectors");
    };
    EXPECT_EQ(sectors(launch, "load", "in"), report::half_warps_of(device, 16, 2048, 1).sectors());
    EXPECT_EQ(sectors(launch, "store", "out"), report::half_warps_of(device, 16, 1, 1024).sectors());
    EXPECT_EQ(sectors(on_h100, "load", "in"), report::whole_warp_sectors(16, 2048, 1));
    EXPECT_EQ(sectors(on_h100, "store", "out"), report::whole_warp_sectors(16, 1, 1024));
    EXPECT_EQ(words_of(access_to(launch, "load", "in"), 17), std::set<int>{2048 + 1}) << "lane 17 is thread (1, 1)";
}

TEST_F(Report, MakesOnePageWithoutThisMachinesFolders) {
    const Json all = report({"lab3", "--solution", "--size", "64", "--out", "page.html"});
    EXPECT_EQ(all.at("score").at("points"), 100);
    EXPECT_EQ(all.at("score").at("of"), 100);
    const std::string page = box_.read("page.html");
    EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U) << page.substr(0, 80);
    EXPECT_EQ(page.find(LAB_SOURCE_FOLDER "/"), std::string::npos);
    EXPECT_EQ(page.find(box_.folder().string()), std::string::npos);
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_EQ(all.at("sources")[0].at("file"), "solutions/lab3_shared_tiling/shared_tiling.cu");
}

TEST_F(Report, ShowsPartitionsOfAGpuThatHasThem) {
    const Json launch = report({"lab5", "naive_row", "--solution", "--no-score", "--size", "512", "--block", "16x16", "--device", "gtx280"})
                            .at("launches")[0];
    const Json& partitions = launch.at("partitions");
    EXPECT_EQ(partitions.at("count"), 8);
    double stored = 0;
    double busiest = 0;
    for (const Json& wave : partitions.at("waves")) {
        double most = 0;
        for (const Json& bytes : wave.at("store")) {
            stored += bytes.get<double>();
            most = std::max(most, bytes.get<double>());
        }
        busiest += most;
    }
    // 16 lanes store into 16 rows: each takes a transaction of 32 bytes of its own.
    EXPECT_EQ(stored, 512.0 * 512 * 32);
    EXPECT_NEAR(partitions.at("camping").at("store").get<double>(), 8 * busiest / stored, 1e-9);
}

TEST_F(Report, OfAProgramHasItsFindings) {
    const Json all = report_of("race.cu", race_program("reverse"));
    ASSERT_EQ(all.at("launches").size(), 1U);
    const Json& races = all.at("launches")[0].at("shared")[0].at("races");
    ASSERT_FALSE(races.empty());
    ASSERT_FALSE(all.at("findings").empty());
    EXPECT_EQ(all.at("findings")[0].at("finding").at("kind"), "race");
    EXPECT_EQ(all.at("findings")[0].at("places")[0].at("source"), 0);
    EXPECT_EQ(all.at("sources")[0].at("file"), "race.cu");
}

// Blocks 0, 4 and 8 are recorded.
TEST_F(Report, ShowsARaceOfABlockThatWasNotRecorded) {
    const Json launch = report_of("race.cu",
                                  "__global__ void reverse(int* out) {\n"
                                  "    __shared__ int line[64];\n"
                                  "    line[threadIdx.x] = threadIdx.x;\n"
                                  "    if (blockIdx.x != 3) __syncthreads();\n"
                                  "    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];\n"
                                  "}\n"
                                  "int main() {\n"
                                  "    int* out;\n"
                                  "    cudaMalloc(&out, 9 * 64 * sizeof(int));\n"
                                  "    reverse<<<9, 64>>>(out);\n"
                                  "    cudaDeviceSynchronize();\n"
                                  "    cudaFree(out);\n"
                                  "}\n")
                            .at("launches")[0];
    for (const Json& interval : launch.at("shared")) EXPECT_TRUE(interval.at("races").empty());
    ASSERT_EQ(launch.at("other_races").size(), 1U);
    const Json& race = launch.at("other_races")[0];
    EXPECT_EQ(race.at("block"), Json({3, 0, 0}));
    EXPECT_EQ(race.at("count"), 64);
    EXPECT_EQ(race.at("earlier").at("place").at("line").get<int>() + race.at("later").at("place").at("line").get<int>(), 3 + 5);
    // Thread t stores word t, and thread 63 - t loads it.
    const int writer = race.at(race.at("earlier").at("kind") == "store" ? "earlier" : "later").at("thread")[0];
    EXPECT_EQ(race.at("element"), "line, word " + std::to_string(writer));
    EXPECT_EQ(race.at("earlier").at("thread")[0].get<int>() + race.at("later").at("thread")[0].get<int>(), 63);
}

TEST_F(Report, NamesThePatternOfEachAccess) {
    const Json launch = report_of("patterns.cu",
                                  "__global__ void patterns(float* out, const float* in, int width) {\n"
                                  "    __shared__ float tile[32][33];\n"
                                  "    const int t = threadIdx.x;\n"
                                  "    for (int i = 0; i < 32; ++i) tile[i][t] = in[i * width + t];\n"
                                  "    __syncthreads();\n"
                                  "    float sum = in[t + 1];\n"
                                  "    sum += in[t * width];\n"
                                  "    sum += in[width];\n"
                                  "    sum += tile[t][3];\n"
                                  "    out[t] = sum;\n"
                                  "}\n"
                                  "int main() {\n"
                                  "    float *in, *out;\n"
                                  "    cudaMalloc(&in, 64 * 64 * sizeof(float));\n"
                                  "    cudaMemset(in, 0, 64 * 64 * sizeof(float));\n"
                                  "    cudaMalloc(&out, 32 * sizeof(float));\n"
                                  "    patterns<<<1, 32>>>(out, in, 64);\n"
                                  "    cudaDeviceSynchronize();\n"
                                  "    cudaFree(in);\n"
                                  "    cudaFree(out);\n"
                                  "}\n")
                            .at("launches")[0];
    std::map<int, std::string> patterns;
    for (const Json& access : launch.at("accesses")) {
        if (access.at("kind") == "load" && access.at("line") != 4) patterns[access.at("line")] = access.at("pattern");
    }
    const std::map<int, std::string> expected{
        {6, "contiguous, misaligned by 1 element"}, {7, "strided by 64 elements"}, {8, "broadcast"}, {9, "strided by 33 words (padded)"}};
    EXPECT_EQ(patterns, expected);
}

// 32 x 32 blocks of 32 warps in 32 phases, all alike: the estimates are exact.
TEST_F(Report, SamplesALaunchThatIsLarge) {
    const Json launch = report({"lab3", "matmul_tiled", "--solution", "--no-score", "--size", "1024"}).at("launches")[0];
    EXPECT_EQ(launch.at("is_estimate"), true);
    EXPECT_EQ(launch.at("totals").at("global_load_sectors"), 32 * 32 * 32 * 32 * 2 * 4);
    EXPECT_EQ(launch.at("recording_note"), "Single accesses are those of 3 of 1024 blocks; counts are estimated for the whole launch.");
    EXPECT_EQ(access_to(launch, "load", "M").at("executions"), 32 * 32 * 32 * 32);
    EXPECT_EQ(report({"lab3", "matmul_tiled", "--solution", "--no-score", "--size", "256"}).at("launches")[0].at("is_estimate"), false);
}

// Each grading takes other times.
TEST_F(Report, OfAGradingHasThatVerdict) {
    box_.program("bin/ninja", "[[ $* == *-t* ]] && exec /usr/bin/ninja \"$@\"\nexit 0");  // recipes are read, nothing is built
    const Ending ending =
        lab({"grade", "lab2", "--from", std::string(LAB_SOURCE_FOLDER) + "/solutions", "--json", "graded.json", "--report", "page.html"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const auto seconds_in = [](const Json& tests) {
        std::map<std::string, double> seconds;
        for (const Json& test : tests) seconds[test.at("name")] = test.at("seconds");
        return seconds;
    };
    const std::string page = box_.read("page.html");
    const std::string begin = "<script type=\"application/json\" id=\"report\">";
    const std::size_t from = page.find(begin) + begin.size();
    const Json shown = Json::parse(page.substr(from, page.find("</script>", from) - from));
    const Json graded = Json::parse(box_.read("graded.json"));
    EXPECT_EQ(seconds_in(shown.at("score").at("tests")), seconds_in(graded.at("labs")[0].at("tests")));
}

TEST_F(Report, RefusesBadInputInOneLine) {
    const auto refuses = [&](std::vector<std::string> words, const std::string& says) {
        words.insert(words.begin(), "report");
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << ending.output;
        EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
        EXPECT_NE(ending.output.find(says), std::string::npos) << ending.output;
    };
    refuses({}, "say which lab or program");
    refuses({"lab9"}, "unknown lab 'lab9'");
    refuses({"lab3", "nosuch"}, "lab3 has no kernel 'nosuch'");
    refuses({"lab3", "--out", "nowhere/page.html"}, "--out nowhere/page.html");
    refuses({"lab3", "--size", "many"}, "--size many");
    refuses({"lab3", "--block", "5x7"}, "--block 5x7");
    refuses({"lab3", "--from", "nosuch.cu"}, "--from nosuch.cu: no such file");
    refuses({"nosuch.cu"}, "nosuch.cu: no such file");
    refuses({"lab3", "--device", "nosuch"}, "--device");
    refuses({"lab3", "--", "1"}, "arguments after -- are for a program");
}

}  // namespace
}  // namespace lab::tools
