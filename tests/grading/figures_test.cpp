// Figures of the reference's speed: what they hold, and which are refused.
#include "common/grading/figures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/grading/options.h"
#include "common/grading/signature.h"

namespace lab::grading {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class FiguresTest : public ::testing::Test {
protected:
    FiguresTest() {
        fs::create_directories(folder_);
        options().figures = options().save_figures = file_;
    }
    ~FiguresTest() override {
        options() = before_;
        fs::remove_all(folder_);
    }
    [[nodiscard]] Json saved() const { return Json::parse(std::ifstream(file_)); }

    Options before_ = options();
    fs::path folder_ = fs::temp_directory_path() / ("lab-figures-" + std::to_string(::getpid()));
    std::string file_ = folder_ / "lab3.json";
    Json launch_{{"kernel", "tiled<32>(float*)"}, {"where", {{"file", "a.cu"}, {"line", 7}}}, {"modelled_ms", 0.5}};
    Json modelled_{{"times_ms", {0.5}}, {"report", {{"arguments", {1}}, {"launches", {launch_}}}}};
};

TEST_F(FiguresTest, AreReadAsTheyWereSaved) {
    add_figure("W=1024", modelled_);
    ASSERT_TRUE(save_figures());
    EXPECT_EQ(read_figures(), "");
    EXPECT_EQ(figure_of("W=1024").value().at("times_ms"), Json({0.5}));
    EXPECT_EQ(figure_of("W=1000"), std::nullopt);
}

TEST_F(FiguresTest, NameNeitherKernelsNorSourceLines) {
    add_figure("W=1024", modelled_);
    ASSERT_TRUE(save_figures());
    const std::string text = saved().dump();
    EXPECT_EQ(text.find("tiled"), std::string::npos);
    EXPECT_EQ(text.find("a.cu"), std::string::npos);
    EXPECT_EQ(text.find("arguments"), std::string::npos);
}

TEST_F(FiguresTest, OfSeveralDevicesAreInOneFile) {
    std::ofstream(file_) << Json{{"model", model_signature()}, {"calls", {{"on another device", modelled_}}}};
    add_figure("W=1024", modelled_);
    ASSERT_TRUE(save_figures());
    EXPECT_EQ(saved().at("calls").size(), 2);
}

TEST_F(FiguresTest, OfAnotherModelAreRefusedAndReplaced) {
    std::ofstream(file_) << Json{{"model", "another"}, {"calls", {{"on another device", modelled_}}}};
    EXPECT_NE(read_figures().find("another version of the model"), std::string::npos);
    add_figure("W=1024", modelled_);
    ASSERT_TRUE(save_figures());
    EXPECT_EQ(saved().at("calls").size(), 1);
}

TEST_F(FiguresTest, AreMissedWhereThereAreNone) {
    EXPECT_NE(read_figures().find("no figures"), std::string::npos);
    std::ofstream(file_) << "{";
    EXPECT_NE(read_figures().find("no figures"), std::string::npos);
}

}  // namespace
}  // namespace lab::grading
