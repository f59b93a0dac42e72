// Rows of real GPUs in tests/measured beside their modelled times: the commands of handouts/time_model.md, and its table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "common/tools/safe_files.h"
#include "tests/tools/studies/fidelity_command.h"

namespace lab::tools {
namespace {

const std::string handout = std::string(LAB_SOURCE_FOLDER) + "/handouts/time_model.md";
const std::string begin_of_commands = "./lab fidelity --rows ";

std::vector<std::string> lines_that_begin_with(const std::string& begin) {
    std::vector<std::string> found;
    std::ifstream stream(handout);
    for (std::string line; std::getline(stream, line);) {
        if (line.rfind(begin, 0) == 0) found.push_back(line);
    }
    return found;
}

// A row of the handout's table of errors.
struct Claim {
    double rows = 0;        // rows that no figure of the model was fitted on
    double mean_error = 0;  // of those, a share
    double worst = 0;       // of all rows, a share
    double in_order = 0;    // pairs that differ by more than 15 % and are modelled in the order in which they were measured
    double pairs = 0;       // pairs that differ by more than 15 %
};

Claim claim_of(const std::string& name) {
    static const std::regex row(R"(\| [^|]*\| ([0-9]+)[^|]*\| ([0-9.]+) % \| ([0-9]+) % too (?:fast|slow)[^|]*\| ([0-9]+) of ([0-9]+) \|)");
    const std::vector<std::string> lines = lines_that_begin_with("| " + name + " |");
    std::smatch match;
    if (lines.size() != 1 || !std::regex_match(lines.front(), match, row)) {
        ADD_FAILURE() << handout << " has no row " << name;
        return {};
    }
    return {std::stod(match[1]), std::stod(match[2]) / 100, std::stod(match[3]) / 100, std::stod(match[4]), std::stod(match[5])};
}

class MeasuredRows : public FidelityCommand {
protected:
    [[nodiscard]] nlohmann::json run_in_project(std::vector<std::string> words) const {
        for (std::string& word : words) {
            if (word.rfind("tests/", 0) == 0) word = std::string(LAB_SOURCE_FOLDER) + "/" + word;
        }
        words.insert(words.end(), {"--json", "out.json"});
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 0) << ending.output;
        return nlohmann::json::parse(box_.read("out.json"));
    }

    // Runs the handout's command for tests/measured/`rows`.jsonl and compares with the table's row. It allows a tenth more error than
    // claimed, for other versions of the compiler.
    void expect_as_claimed(const std::string& rows, const std::string& name) const {
        const std::vector<std::string> commands = lines_that_begin_with(begin_of_commands + "tests/measured/" + rows + ".jsonl");
        ASSERT_EQ(commands.size(), 1U) << "the command for " << rows << " in " << handout;
        std::istringstream stream(commands.front().substr(std::string("./lab fidelity ").size()));
        const nlohmann::json json = run_in_project({std::istream_iterator<std::string>(stream), {}});
        const Claim claim = claim_of(name);
        const auto& unfitted = json.at("predicted");
        EXPECT_EQ(unfitted.at("rows"), claim.rows);
        EXPECT_NEAR(unfitted.at("mean_absolute_error"), claim.mean_error, claim.mean_error / 10);
        double worst = 0;
        for (const nlohmann::json& row : json.at("rows")) worst = std::max(worst, std::abs(row.at("error").get<double>()));
        EXPECT_NEAR(worst, claim.worst, claim.worst / 10);
        const double pairs = json.at("order").at("pairs");
        EXPECT_NEAR(pairs, claim.pairs, claim.pairs / 100);
        EXPECT_LE(json.at("order").at("exchanged").get<double>() / pairs, 1.1 * (claim.pairs - claim.in_order) / claim.pairs);
    }
};

TEST_F(MeasuredRows, OfAnH200AreAsNearToTheModelAsTheHandoutSays) { expect_as_claimed("h200", "H200, labs"); }

TEST_F(MeasuredRows, OfAnH100AreAsNearToTheModelAsTheHandoutSays) { expect_as_claimed("h100", "H100, labs"); }

TEST_F(MeasuredRows, OfOtherKernelsOnAnH200AreAsNearToTheModelAsTheHandoutSays) { expect_as_claimed("h200_other_kernels", "H200, others"); }

TEST_F(MeasuredRows, OfOtherKernelsOnAnH100AreAsNearToTheModelAsTheHandoutSays) { expect_as_claimed("h100_other_kernels", "H100, others"); }

// The handout's commands take minutes. They are run above, and by no other test.
TEST_F(MeasuredRows, HaveFourCommandsInTheHandout) { EXPECT_EQ(lines_that_begin_with(begin_of_commands).size(), 4U); }

// The handout's pictures of these rows, drawn again by its commands. Other compilers move marks.
TEST_F(MeasuredRows, AreDrawnAsInTheHandout) {
    const std::string begin = "./lab fidelity --size 2048 ";
    const std::vector<std::string> commands = lines_that_begin_with(begin);
    ASSERT_EQ(commands.size(), 2U) << handout;
    for (const std::string& command : commands) {
        std::istringstream stream(command.substr(std::string("./lab fidelity ").size()));
        const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
        (void)run_in_project(words);
        const std::string picture = words.at(static_cast<std::size_t>(std::find(words.begin(), words.end(), "--svg") - words.begin()) + 1);
        const std::string as_kept = read_whole(std::string(LAB_SOURCE_FOLDER) + "/handouts/figures/fidelity/" + picture);
#if defined(__clang_major__) && __clang_major__ == 14
        EXPECT_TRUE(box_.read(picture) == as_kept) << "look at what this changes: " << command;
#endif
    }
}

TEST_F(MeasuredRows, OfAnH200AreCountedAlike) {
    const nlohmann::json counters =
        run_in_project({"--rows", "tests/measured/h200.jsonl", "--size", "512", "--sample", "0"}).at("counters");
    EXPECT_GE(counters.at("rows"), 200);
    EXPECT_EQ(counters.at("equal"), counters.at("rows"));
}

}  // namespace
}  // namespace lab::tools
