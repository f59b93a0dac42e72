// A verdict does not depend on how many host threads run the blocks.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "tests/tools/sandbox.h"

namespace lab::grading {
namespace {

std::string solution_of_lab2() {
    std::ifstream file(LAB_PROJECT_FOLDER "/solutions/lab2_matmul_global/matmul_global.cu");
    return {std::istreambuf_iterator<char>(file), {}};
}

// Points and messages of all tests of the values of a file of lab 2.
std::string verdict(const std::string& source, const std::string& threads) {
    const tools::Sandbox box;
    const auto file = box.write("matmul_global.cu", source), json = box.folder() / "grade.json";
    const std::string tool = LAB_BUILD_FOLDER "/bin/lab-tool";
    (void)tools::run({{tool, "grade", "lab2", "--from", file.string(), "--filter", "*MatchesReference*", "--sandbox", "never", "--search",
                       "0", "--seed", "1", "--json", json.string()},
                      {},
                      {{"LAB_THREADS", threads}}});
    const nlohmann::json graded = tools::read_json(json);
    if (!graded.is_object()) return "not graded";
    std::string all;
    for (const auto& test : graded.at("labs").at(0).at("tests"))
        all += test.at("name").dump() + test.at("points").dump() + test.at("failures").dump() + "\n";
    return all;
}

// Each block clears what a later one computes. One after another all values are right in the end; at the same time they are if the later
// one comes last.
TEST(Threads, OfTheEmulatorDecideNoRaceBetweenBlocks) {
    std::string source = solution_of_lab2();
    const std::string store = "P[row * W + col] = sum;";
    const std::size_t at = source.find(store);
    ASSERT_NE(at, std::string::npos);
    source.insert(at, "if (row + blockDim.y < W) P[(row + blockDim.y) * W + col] = 0;\n");
    const std::string alone = verdict(source, "1");
    EXPECT_NE(alone.find("MatchesReference"), std::string::npos) << alone;
    for (int time = 0; time < 5; ++time) EXPECT_EQ(verdict(source, "4"), alone);
}

}  // namespace
}  // namespace lab::grading
