#include "common/tools/safe_files.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

TEST(ResultFile, IsNotLeftEmptyByTheCheck) {
    const Sandbox box;
    const std::filesystem::path file = box.folder() / "scores.json";
    check_result_file("--json", file.string());
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(ResultFile, KeepsItsTextInTheCheck) {
    const Sandbox box;
    const std::filesystem::path file = box.folder() / "scores.json";
    replace_file(file, "of yesterday");
    check_result_file("--json", file.string());
    EXPECT_EQ(read_whole(file), "of yesterday");
}

TEST(ResultFile, IsRefusedWhereNothingCanBeWritten) { EXPECT_THROW(check_result_file("--json", "/no/such/folder/scores.json"), BadInput); }

}  // namespace
}  // namespace lab::tools
