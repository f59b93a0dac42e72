// The cache of the reference's modelled times: results from it, and files that it rejects.
#include "common/grading/modelled_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lab::grading {
namespace {

namespace fs = std::filesystem;

class ModelledCallsTest : public ::testing::Test {
protected:
    ModelledCallsTest() {
        fs::create_directories(folder_);
        write(program_, "the reference as it was built");
    }
    ~ModelledCallsTest() override { fs::remove_all(folder_); }

    static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
    static std::string read(const fs::path& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    [[nodiscard]] ModelledCalls calls() const { return {folder_ / "kept", program_}; }

    fs::path folder_ = fs::temp_directory_path() / ("lab-modelled-calls-" + std::to_string(::getpid()));
    fs::path program_ = folder_ / "lab3_reference";
    nlohmann::json modelled_{{"times_ms", {0.25}}};
};

TEST_F(ModelledCallsTest, AreFoundByTheNextSuite) {
    calls().add("W=1024", modelled_);
    EXPECT_EQ(calls().find("W=1024"), modelled_);
    EXPECT_EQ(calls().find("W=1000"), std::nullopt);
}

TEST_F(ModelledCallsTest, AreOfOneProgram) {
    calls().add("W=1024", modelled_);
    write(program_, "another one");
    EXPECT_EQ(calls().find("W=1024"), std::nullopt);
}

TEST_F(ModelledCallsTest, AreOfOneDevice) {
    const fs::path device = folder_ / "lab-device";
    const auto calls_on_it = [&] { return ModelledCalls(folder_ / "kept", program_, device); };
    write(device, "the emulator as it was built");
    calls_on_it().add("W=1024", modelled_);
    EXPECT_EQ(calls_on_it().find("W=1024"), modelled_);
    write(device, "another one");
    EXPECT_EQ(calls_on_it().find("W=1024"), std::nullopt);
}

TEST_F(ModelledCallsTest, AreReadOnceAndNeverAgain) {
    const ModelledCalls early = calls();
    calls().add("W=1024", modelled_);
    EXPECT_EQ(early.find("W=1024"), std::nullopt);
}

TEST_F(ModelledCallsTest, OfTwoSuitesAtATimeAreAllKept) {
    ModelledCalls one = calls();
    ModelledCalls other = calls();
    one.add("W=1024", modelled_);
    other.add("W=512", modelled_);
    EXPECT_EQ(calls().find("W=1024"), modelled_);
    EXPECT_EQ(calls().find("W=512"), modelled_);
}

TEST_F(ModelledCallsTest, ThatWereChangedByHandAreIgnored) {
    calls().add("W=1024", modelled_);
    const fs::path file = calls().file();
    std::string text = read(file);
    text.replace(text.find("0.25"), 4, "9.25");
    write(file, text);
    EXPECT_EQ(calls().find("W=1024"), std::nullopt);
    for (const char* damaged : {"", "{", "[]", "7", R"({"program":7,"calls":7})"}) {
        write(file, damaged);
        EXPECT_EQ(calls().find("W=1024"), std::nullopt) << damaged;
    }
    calls().add("W=1024", modelled_);  // and the next run writes it anew
    EXPECT_EQ(calls().find("W=1024"), modelled_);
}

TEST_F(ModelledCallsTest, ThatOthersMayWriteAreIgnored) {
    calls().add("W=1024", modelled_);
    const fs::path file = calls().file();
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(calls().find("W=1024"), std::nullopt);
    fs::remove(file);
    calls().add("W=1024", modelled_);
    const fs::path moved = folder_ / "elsewhere.json";
    fs::rename(file, moved);
    fs::create_symlink(moved, file);
    EXPECT_EQ(calls().find("W=1024"), std::nullopt);
}

TEST_F(ModelledCallsTest, LeaveNothingButTheirFile) {
    calls().add("W=1024", modelled_);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "kept"), {}), 1);
    ModelledCalls none("", program_);
    none.add("W=1024", modelled_);
    EXPECT_EQ(none.file(), "");
}

TEST_F(ModelledCallsTest, GiveResultsWithoutOutputs) {
    Result result;
    result.times_ms = {0.25};
    result.backend = "emulator";
    result.launches.resize(1);
    result.launches[0].counters.global_load.sectors = 4;
    const auto again = Result::modelled(nlohmann::json::parse(result.modelled().dump()));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->times_ms, result.times_ms);
    EXPECT_EQ(again->backend, "emulator");
    EXPECT_EQ(again->launches.at(0).counters.global_load.sectors, 4U);
    EXPECT_FALSE(Result::modelled(modelled_));
}

TEST_F(ModelledCallsTest, AreToldApartByAllThatIsAskedButContents) {
    const auto subject = [](int W, float value) {
        Random random("subject");
        Call call("multiply");
        const std::vector<float> input(4, value);
        call.integer("W", W).input("M", input).output<float>("P", 4, random);
        return call.subject();
    };
    EXPECT_EQ(subject(2, 1), subject(2, 3));
    EXPECT_NE(subject(2, 1), subject(3, 1));
}

}  // namespace
}  // namespace lab::grading
